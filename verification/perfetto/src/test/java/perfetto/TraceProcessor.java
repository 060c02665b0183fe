package perfetto;

import holdfast.lifecycle.Threads;
import holdfast.testkit.Unavailable;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Perfetto's own trace processor: one process for all tests. Not safe for use by many threads. */
final class TraceProcessor {
  private static final String VERSION = "0.25.2";
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(60);
  private static final int ERRORS_SHOWN = 4_000;
  private static final ScheduledExecutorService WATCHDOG =
      Executors.newSingleThreadScheduledExecutor(Threads.daemon("trace-processor-watchdog"));
  private static final JsonMapper JSON = new JsonMapper();
  private static @Nullable TraceProcessor running;

  private final Process process;
  private final Path errors;
  private final Duration longestAnswer;
  private final BufferedReader answers;
  private final Writer requests;

  private TraceProcessor(Process process, Path errors, Duration longestAnswer) {
    this.process = process;
    this.errors = errors;
    this.longestAnswer = longestAnswer;
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.requests = process.outputWriter(StandardCharsets.UTF_8);
    answer(); // that it is ready
  }

  /**
   * The processor, started if it does not run.
   *
   * @throws org.opentest4j.TestAbortedException if it is not installed; where {@code CI} is set,
   *     that is a failure
   */
  static synchronized TraceProcessor get() {
    TraceProcessor found = running;
    if (found == null || !found.process.isAlive()) {
      Path parts = parts();
      if (!isOnPath("node") || !Files.exists(parts.resolve("trace_processor.wasm"))) {
        String reason =
            "verification/perfetto needs node on the path and Perfetto's trace processor in %s but %s is missing; install Debian's packages nodejs and npm, then run verification/perfetto/install"
                .formatted(parts, isOnPath("node") ? "the trace processor" : "node");
        System.err.println("ABORTED: " + reason);
        throw Unavailable.because(reason);
      }
      found = start(parts);
      running = found;
    }
    return found;
  }

  private static Path parts() {
    String home = System.getProperty("user.home");
    Path caches = Path.of(variable("XDG_CACHE_HOME", home + "/.cache"), "holdfast-perfetto");
    return Path.of(variable("PERFETTO_CACHE", caches.toString()), VERSION, "trace-processor");
  }

  private static String variable(String name, String otherwise) {
    return Objects.requireNonNullElse(System.getenv(name), otherwise);
  }

  private static boolean isOnPath(String program) {
    for (String folder : variable("PATH", "").split(File.pathSeparator, -1)) {
      if (Files.isExecutable(Path.of(folder, program))) {
        return true;
      }
    }
    return false;
  }

  private static TraceProcessor start(Path parts) {
    try {
      Path driver =
          Path.of(
              Objects.requireNonNull(
                      TraceProcessor.class.getResource("/perfetto/trace-processor.mjs"))
                  .toURI());
      return start(LONGEST_ANSWER, "node", driver.toString(), parts.toString());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Starts a program that answers like it; one that takes longer for an answer is killed. */
  static TraceProcessor start(Duration longestAnswer, String... command) {
    try {
      Path errors = Files.createTempFile("trace-processor-", ".err");
      errors.toFile().deleteOnExit();
      Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
      return new TraceProcessor(process, errors, longestAnswer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Loads a file; the one before is forgotten. */
  TraceProcessor open(Path file) {
    ask(Map.of("open", file.toAbsolutePath().toString()));
    return this;
  }

  /** The rows of a query, each with its columns joined by " | ". */
  List<String> rows(String sql) {
    List<String> rows = new ArrayList<>();
    for (JsonNode row : ask(Map.of("query", sql)).get("rows")) {
      List<String> cells = new ArrayList<>();
      row.forEach(cell -> cells.add(cell.isNull() ? "null" : cell.asString()));
      rows.add(String.join(" | ", cells));
    }
    return rows;
  }

  /** What it complains of: statistics of errors and of lost data. */
  List<String> complaints() {
    return rows(
        "select name, sum(value) from stats where severity in ('error', 'data_loss')"
            + " and value > 0 group by name order by name");
  }

  private JsonNode ask(Map<String, String> request) {
    try {
      requests.write(JSON.writeValueAsString(request) + "\n");
      requests.flush();
    } catch (IOException e) {
      throw ended(e);
    }
    return answer();
  }

  private JsonNode answer() {
    Future<?> watch =
        WATCHDOG.schedule(process::destroyForcibly, longestAnswer.toNanos(), TimeUnit.NANOSECONDS);
    try {
      String line = answers.readLine();
      if (line == null) {
        throw ended(null);
      }
      JsonNode answer = JSON.readTree(line);
      if (answer.has("error")) {
        throw new AssertionError("the trace processor refused: " + answer.get("error"));
      }
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      watch.cancel(false);
    }
  }

  private AssertionError ended(@Nullable IOException cause) {
    String text;
    try {
      text = Files.readString(errors);
    } catch (IOException e) {
      text = e.toString();
    }
    return new AssertionError(
        "the trace processor has ended, or was killed since it did not answer within "
            + longestAnswer
            + "; its standard error: "
            + text.substring(Math.max(0, text.length() - ERRORS_SHOWN)),
        cause);
  }
}
