package holdfast.testkit.db;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;

/** A PostgreSQL server. Confined to its keeper. */
final class PostgresqlServer implements RunningServer {

  private final EmbeddedPostgres postgres;

  private PostgresqlServer(EmbeddedPostgres postgres) {
    this.postgres = postgres;
  }

  /** Unpacks the programs and starts a server with data of its own in the directory. */
  static PostgresqlServer start(ServerDirectory directory) throws IOException {
    Path home = directory.server();
    Redirect log = Redirect.appendTo(directory.log().toFile());
    return new PostgresqlServer(
        EmbeddedPostgres.builder()
            .setOverrideWorkingDirectory(home.resolve("programs").toFile())
            .setDataDirectory(home.resolve("data"))
            .setCleanDataDirectory(false)
            .setRegisterShutdownHook(false)
            .setOutputRedirector(log)
            .setErrorRedirector(log)
            .setServerConfig("max_connections", Integer.toString(MAX_CONNECTIONS))
            // The library switches both off to be faster. Tests of durability need a server that
            // keeps what it acknowledged, as those in production do.
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .start());
  }

  @Override
  public int port() {
    return postgres.getPort();
  }

  @Override
  public void stop() throws IOException {
    postgres.close();
  }
}
