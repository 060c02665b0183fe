package holdfast.log;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The lines of one logger, as "LEVEL message" and " +trace" where a throwable came with it. */
public final class Lines extends Handler implements AutoCloseable {
  private final Logger logger;
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();

  /** Starts to listen to the logger of that name. */
  public Lines(String name) {
    this.logger = Logger.getLogger(name);
    logger.setUseParentHandlers(false);
    logger.addHandler(this);
  }

  /** Returns the lines so far and forgets them. */
  public List<String> taken() {
    List<String> taken = List.copyOf(lines);
    lines.clear();
    return taken;
  }

  @Override
  public void publish(LogRecord line) {
    String trace = line.getThrown() == null ? "" : " +trace";
    lines.add(line.getLevel() + " " + line.getMessage() + trace);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }
}
