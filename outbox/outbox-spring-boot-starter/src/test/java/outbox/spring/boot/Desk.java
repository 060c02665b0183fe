package outbox.spring.boot;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import outbox.EventEnvelope;

/** Listeners that hold, fail or take what they are given, and count it. */
final class Desk {
  private final CountDownLatch mayGoOn = new CountDownLatch(1);
  private final AtomicInteger held = new AtomicInteger();
  private final AtomicInteger taken = new AtomicInteger();

  @OutboxListener("Held")
  void hold(EventEnvelope event) throws InterruptedException {
    held.incrementAndGet();
    mayGoOn.await(30, TimeUnit.SECONDS);
  }

  @OutboxListener("Fails")
  void fail(EventEnvelope event) {
    throw new IllegalStateException("on purpose");
  }

  @OutboxListener("Taken")
  void take(EventEnvelope event) {
    taken.incrementAndGet();
  }

  void goOn() {
    mayGoOn.countDown();
  }

  /** How many events were held so far. */
  int held() {
    return held.get();
  }

  int taken() {
    return taken.get();
  }
}
