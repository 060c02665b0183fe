package failover.observe.internal;

import holdfast.log.LibraryLogger;
import holdfast.log.LogText;
import holdfast.time.TimeSource;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Logs trouble when it begins and when it is over, and not in between. It is over when it has gone
 * well for a while, so that outcomes which alternate are one trouble and not many. Safe for use by
 * many threads.
 */
public final class StateLog {
  /** How long ago a trouble must have begun to be heard of, since it last went well. */
  public static final Duration QUIET = Duration.ofSeconds(10);

  private static final System.Logger LOGGER = LibraryLogger.of("failover");

  private final TimeSource time;
  private final AtomicBoolean troubled = new AtomicBoolean();
  private final Set<String> named = ConcurrentHashMap.newKeySet(); // since the trouble began
  private volatile boolean heard; // of trouble, since it last went well
  private volatile long heardAt;

  /** A log of something that goes well, by that clock. */
  public StateLog(TimeSource time) {
    this.time = time;
  }

  /** Logs a warning unless the trouble is known. */
  public void trouble(Supplier<String> message, Throwable why) {
    if (begins()) {
      log(message, LogText.line(why), why);
    }
  }

  /**
   * Logs a warning for each name once, while the trouble lasts. For what handles answers, such as
   * stores, codecs and hooks, whose failures may quote one: only their class is logged.
   */
  public void troubleOf(String name, Supplier<String> message, Throwable why) {
    begins();
    if (named.add(name)) {
      log(message, why.getClass().getName(), why);
    }
  }

  private boolean begins() {
    if (!heard) { // one look at the clock, however many follow
      heardAt = time.nanoTime();
      heard = true;
    }
    return !troubled.get() && troubled.compareAndSet(false, true);
  }

  private static void log(Supplier<String> message, String cause, Throwable why) {
    LOGGER.log(Level.WARNING, message.get() + " cause=" + cause);
    LOGGER.log(Level.DEBUG, message, why);
  }

  /** Logs that the trouble is over, if there was any and it began to be heard of long ago. */
  public void well(Supplier<String> message) {
    if (troubled.get()) {
      heard = false;
      if (time.nanoTime() - heardAt >= QUIET.toNanos() && troubled.compareAndSet(true, false)) {
        named.clear();
        LOGGER.log(Level.INFO, message);
      }
    }
  }
}
