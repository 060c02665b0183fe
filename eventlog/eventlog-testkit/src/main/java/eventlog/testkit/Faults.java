package eventlog.testkit;

import java.time.Duration;

/** The fault that is switched on, and for how many requests. Safe for use by many threads. */
public final class Faults {
  private Fault fault = Fault.NONE;
  private long requestsLeft;
  private Duration pause = Duration.ofSeconds(1);
  private Duration retryAfter = Duration.ofSeconds(1);
  private String poison = "";

  Faults() {}

  /** Switches a fault on until further notice; replaces the one before. */
  public void set(Fault newFault) {
    set(newFault, Long.MAX_VALUE);
  }

  /** Switches a fault on for so many requests; replaces the one before. */
  public synchronized void set(Fault newFault, long requests) {
    fault = newFault;
    requestsLeft = requests;
  }

  /** Sets how long {@link Fault#SLOW} pauses. */
  public synchronized void pause(Duration newPause) {
    pause = newPause;
  }

  /** Sets what {@link Fault#TOO_MANY} asks for. */
  public synchronized void retryAfter(Duration newRetryAfter) {
    retryAfter = newRetryAfter;
  }

  /** Sets a summary that makes the server answer 400 to any request with it; empty for none. */
  public synchronized void poison(String summary) {
    poison = summary;
  }

  /** The fault for the next request. */
  synchronized Fault next() {
    if (fault == Fault.NONE || requestsLeft == 0) {
      return Fault.NONE;
    }
    requestsLeft--;
    return fault;
  }

  synchronized Duration pause() {
    return pause;
  }

  synchronized Duration retryAfter() {
    return retryAfter;
  }

  synchronized String poison() {
    return poison;
  }
}
