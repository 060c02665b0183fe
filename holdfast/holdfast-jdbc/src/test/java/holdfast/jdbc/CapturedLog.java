package holdfast.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a library logs, kept from the console. Not safe for use by several threads. */
final class CapturedLog extends Handler {

  private final List<Throwable> troubles = new ArrayList<>();
  private Logger logger = Logger.getAnonymousLogger();

  void begin(String name) {
    logger = Logger.getLogger(name);
    logger.setUseParentHandlers(false);
    logger.addHandler(this);
  }

  void end() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }

  void clear() {
    troubles.clear();
  }

  /** The exceptions logged since the last clearing. */
  List<Throwable> troubles() {
    return troubles;
  }

  @Override
  public void publish(LogRecord record) {
    troubles.add(record.getThrown());
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
