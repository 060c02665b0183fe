package demo.outbox;

import java.io.PrintStream;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Shows the outbox's log among the lines of the story, each in one piece: printed to the console's
 * error stream, as logs usually are, they would land in the middle of others. Safe for use by many
 * threads.
 */
final class LogLines extends Handler {
  private final Logger logger = Logger.getLogger("outbox");
  private final PrintStream out;

  LogLines(PrintStream out) {
    this.out = out;
    logger.addHandler(this);
    logger.setUseParentHandlers(false);
  }

  @Override
  public void publish(LogRecord record) {
    out.println("   [" + record.getLevel() + "] " + record.getMessage());
  }

  @Override
  public void flush() {
    out.flush();
  }

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }
}
