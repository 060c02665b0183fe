package eventlog.spring;

import eventlog.AsyncEventLogger;
import jakarta.annotation.PreDestroy;
import org.jspecify.annotations.Nullable;

/**
 * Closes the logger when the application context ends, in place of a hook of the JVM. The logger
 * depends on this bean, so Spring destroys it after the logger, and that after every bean that was
 * given the logger: what they log while they end is still sent or written to disk. Safe for use by
 * many threads.
 */
public final class EventLogShutdown {
  private volatile @Nullable AsyncEventLogger logger;

  EventLogShutdown() {}

  /** Has this logger closed at the end. */
  AsyncEventLogger closes(AsyncEventLogger built) {
    logger = built;
    return built;
  }

  /** Calls {@link AsyncEventLogger#shutdown()}. */
  @PreDestroy
  public void shutdown() {
    AsyncEventLogger built = logger;
    if (built != null) {
      built.shutdown();
    }
  }
}
