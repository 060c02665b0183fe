package outbox.spring.boot;

import java.time.Duration;
import outbox.dispatch.UnhandledPolicy;

/** What can be set under {@code outbox.unhandled}. Not safe for use by many threads. */
final class UnhandledProperties {
  /** How long an event nobody here listens to is left to other nodes. */
  private Duration delay = UnhandledPolicy.DEFAULT.delay();

  /** How long no node may have listened before the event is dead. */
  private Duration deadAfter = UnhandledPolicy.DEFAULT.deadAfter();

  /** Whether an event nobody listens to is done at once instead. */
  private boolean done = UnhandledPolicy.DEFAULT.done();

  public Duration getDelay() {
    return delay;
  }

  public void setDelay(Duration delay) {
    this.delay = delay;
  }

  public Duration getDeadAfter() {
    return deadAfter;
  }

  public void setDeadAfter(Duration deadAfter) {
    this.deadAfter = deadAfter;
  }

  public boolean isDone() {
    return done;
  }

  public void setDone(boolean done) {
    this.done = done;
  }
}
