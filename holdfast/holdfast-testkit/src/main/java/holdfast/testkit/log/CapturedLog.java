package holdfast.testkit.log;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/**
 * What a library logs while it is open: through {@code java.util.logging}, or through Logback where
 * that is the log of the class path. Safe for use by many threads.
 */
public final class CapturedLog implements AutoCloseable {
  private static final boolean JAVA_LOGGING =
      "java.logging".equals(System.LoggerFinder.getLoggerFinder().getClass().getModule().getName());

  private final Queue<Line> lines = new ConcurrentLinkedQueue<>();
  private final Source source;

  /** One line of the log. */
  record Line(Level level, String message, @Nullable Throwable thrown) {}

  /** Where lines come from. */
  interface Source extends AutoCloseable {
    void withDetails();

    @Override
    void close();
  }

  /** Starts to listen to the logger of that name; what it logs is not printed meanwhile. */
  public CapturedLog(String name) {
    this.source =
        JAVA_LOGGING ? new JavaLoggingLines(name, lines::add) : new LogbackLines(name, lines::add);
  }

  /** Listens to details too, which are not logged otherwise. */
  public CapturedLog withDetails() {
    source.withDetails();
    return this;
  }

  /** What was logged at that level with a throwable, in order. */
  public List<Throwable> thrown(Level level) {
    return lines.stream()
        .filter(line -> line.level().equals(level))
        .map(Line::thrown)
        .filter(thrown -> thrown != null)
        .toList();
  }

  /** Every line so far, in order: the level, a space and the message. */
  public List<String> lines() {
    return lines.stream().map(line -> line.level() + " " + line.message()).toList();
  }

  /** The messages of that level, in order. */
  public List<String> messages(Level level) {
    return lines.stream().filter(line -> line.level().equals(level)).map(Line::message).toList();
  }

  @Override
  public void close() {
    source.close();
  }
}
