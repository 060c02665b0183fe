package tracer.lane;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Writers that many threads share, in turns. The lock is held for one event and never waited for: a
 * thread that finds it taken goes to the next stripe.
 */
public final class Stripe {
  private final Producer producer;
  private final AtomicBoolean taken = new AtomicBoolean();

  Stripe(Producer producer) {
    this.producer = producer;
  }

  boolean tryLock() {
    return !taken.get() && taken.compareAndSet(false, true);
  }

  /** Lets others record. */
  public void unlock() {
    taken.setRelease(false);
  }

  /** The writers, for whoever has the lock. */
  public Producer producer() {
    return producer;
  }
}
