package eventlog;

import static java.util.concurrent.TimeUnit.SECONDS;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** An HTTPS server whose certificate nobody but itself has signed. */
final class UntrustedServer implements AutoCloseable {
  private static final String PASSWORD = "changeit";

  private final HttpsServer server;

  private UntrustedServer(HttpsServer server) {
    this.server = server;
  }

  /**
   * Starts it.
   *
   * @param directory where its key goes
   */
  static UntrustedServer start(Path directory) throws Exception {
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context(directory.resolve("key.p12"))));
    server.createContext("/", exchange -> exchange.sendResponseHeaders(200, -1));
    server.start();
    return new UntrustedServer(server);
  }

  private static SSLContext context(Path file) throws Exception {
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .inheritIO()
            .start();
    if (!keytool.waitFor(60, SECONDS)) {
      keytool.destroyForcibly();
      throw new IllegalStateException("keytool made no key within a minute");
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  URI uri() {
    return URI.create("https://localhost:" + server.getAddress().getPort());
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
