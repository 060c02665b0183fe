package eventlog;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What the room logs while it is open. Safe for use by many threads. */
public final class CapturedLog implements AutoCloseable {
  private final Logger logger = Logger.getLogger("eventlog");
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

  /** Starts to listen; what is logged is not printed meanwhile. */
  public CapturedLog() {
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
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
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
  }
}
