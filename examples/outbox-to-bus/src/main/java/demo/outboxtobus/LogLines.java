package demo.outboxtobus;

import java.io.PrintStream;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Shows the log of both libraries among the lines of the story. Safe for use by many threads. */
final class LogLines extends Handler {
  private final List<Logger> loggers =
      List.of(Logger.getLogger("outbox"), Logger.getLogger("eventbus"));
  private final PrintStream out;

  LogLines(PrintStream out) {
    this.out = out;
    for (Logger logger : loggers) {
      logger.addHandler(this);
      logger.setUseParentHandlers(false);
    }
  }

  @Override
  public void publish(LogRecord record) {
    Object[] values = record.getParameters();
    String text = record.getMessage();
    out.println(
        "   ["
            + record.getLevel()
            + "] "
            + (values == null ? text : java.text.MessageFormat.format(text, values)));
  }

  @Override
  public void flush() {
    out.flush();
  }

  @Override
  public void close() {
    for (Logger logger : loggers) {
      logger.removeHandler(this);
      logger.setUseParentHandlers(true);
    }
  }
}
