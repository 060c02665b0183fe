package holdfast.testkit.log;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a room logs while it is open. Safe for use by many threads. */
public final class CapturedLog implements AutoCloseable {
  private final Logger logger;
  private final Queue<LogRecord> records = new ConcurrentLinkedQueue<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          records.add(record);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  /** Starts to listen to the logger of that name; what it logs is not printed meanwhile. */
  public CapturedLog(String name) {
    this.logger = Logger.getLogger(name);
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
  }

  /** Listens to details too, which are not logged otherwise. */
  public CapturedLog withDetails() {
    logger.setLevel(Level.ALL);
    return this;
  }

  /** What was logged at that level with a throwable, in order. */
  public List<Throwable> thrown(Level level) {
    return records.stream()
        .filter(r -> r.getLevel().equals(level) && r.getThrown() != null)
        .map(LogRecord::getThrown)
        .toList();
  }

  /** Every line so far, in order: the level, a space and the message. */
  public List<String> lines() {
    return records.stream().map(r -> r.getLevel() + " " + r.getMessage()).toList();
  }

  /** The messages of that level, in order. */
  public List<String> messages(Level level) {
    return records.stream()
        .filter(r -> r.getLevel().equals(level))
        .map(LogRecord::getMessage)
        .toList();
  }

  @Override
  public void close() {
    logger.setLevel(null);
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
  }
}
