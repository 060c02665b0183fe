package failover.observe;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Logs trouble when it begins and when it ends, and not in between. Safe for use by many threads.
 */
public final class StateLog {
  private static final System.Logger LOGGER = System.getLogger("failover");

  private final AtomicBoolean troubled = new AtomicBoolean();

  /** A log of something that goes well. */
  public StateLog() {}

  /** Logs a warning unless the trouble was known. */
  public void trouble(Supplier<String> message, Throwable why) {
    if (!troubled.get() && troubled.compareAndSet(false, true)) {
      LOGGER.log(Level.WARNING, message.get() + " cause=" + why.getClass().getName());
      LOGGER.log(Level.DEBUG, message, why);
    }
  }

  /** Logs that the trouble is over, if there was any. */
  public void well(Supplier<String> message) {
    if (troubled.get() && troubled.compareAndSet(true, false)) {
      LOGGER.log(Level.INFO, message);
    }
  }
}
