package eventlog.otlp;

import holdfast.testkit.Unavailable;
import holdfast.testkit.net.FreePorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/** Rotel, a collector that others have written: it prints what it takes. */
final class Rotel implements AutoCloseable {
  private static final String VERSION = "0.0.8-alpha";

  private final Process process;
  private final URI address;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Thread reader = new Thread(this::read, "rotel-output");

  private Rotel(Process process, URI address) {
    this.process = process;
    this.address = address;
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts it; it takes requests a moment later.
   *
   * @throws org.opentest4j.TestAbortedException if it is not installed; where {@code CI} is set,
   *     that is a failure
   */
  static Rotel start() throws IOException {
    Path program = program();
    if (!Files.isExecutable(program)) {
      String reason =
          "RealCollectorTest needs the collector Rotel as %s, which is missing; run eventlog/eventlog-otlp/install-collector"
              .formatted(program);
      System.err.println("ABORTED: " + reason);
      throw Unavailable.because(reason);
    }
    int[] ports = FreePorts.find(2);
    Process process =
        new ProcessBuilder(
                program.toString(),
                "start",
                "--exporter",
                "blackhole",
                "--debug-log",
                "logs",
                "--debug-log-verbosity",
                "detailed",
                "--otlp-http-endpoint",
                "127.0.0.1:" + ports[0],
                "--otlp-grpc-endpoint",
                "127.0.0.1:" + ports[1])
            .redirectErrorStream(true)
            .start();
    return new Rotel(process, URI.create("http://127.0.0.1:" + ports[0]));
  }

  private static Path program() {
    String home = System.getProperty("user.home");
    Path caches = Path.of(variable("XDG_CACHE_HOME", home + "/.cache"), "holdfast-rotel");
    return Path.of(variable("ROTEL_CACHE", caches.toString()), VERSION, "rotel-agent");
  }

  private static String variable(String name, String otherwise) {
    return Objects.requireNonNullElse(System.getenv(name), otherwise);
  }

  private void read() {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      output.lines().forEach(lines::add);
    } catch (IOException | UncheckedIOException e) {
      lines.add(e.toString()); // it was ended
    }
  }

  URI address() {
    return address;
  }

  /** What it has printed so far. */
  List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly().waitFor();
    reader.join();
  }
}
