package holdfast.testkit.log;

import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The lines of a logger of {@code java.util.logging}. Safe for use by many threads. */
final class JavaLoggingLines extends Handler implements CapturedLog.Source {
  private final Logger logger;
  private final Consumer<CapturedLog.Line> lines;

  JavaLoggingLines(String name, Consumer<CapturedLog.Line> lines) {
    this.logger = Logger.getLogger(name);
    this.lines = lines;
    logger.addHandler(this);
    logger.setUseParentHandlers(false);
  }

  @Override
  public void withDetails() {
    logger.setLevel(Level.ALL);
  }

  @Override
  public void publish(LogRecord line) {
    lines.accept(new CapturedLog.Line(line.getLevel(), line.getMessage(), line.getThrown()));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.setLevel(null);
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }
}
