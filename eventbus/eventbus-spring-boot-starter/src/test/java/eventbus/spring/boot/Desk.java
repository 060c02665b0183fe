package eventbus.spring.boot;

import eventbus.Event;
import eventbus.spring.EventHandler;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Handlers that hold, fail or take what they are given, and count it. */
final class Desk {
  private final CountDownLatch mayGoOn = new CountDownLatch(1);
  private final AtomicInteger held = new AtomicInteger();
  private final AtomicInteger taken = new AtomicInteger();

  @EventHandler("Held")
  void hold(Event event) throws InterruptedException {
    held.incrementAndGet();
    mayGoOn.await(30, TimeUnit.SECONDS);
  }

  @EventHandler("Fails")
  void fail(Event event) {
    throw new IllegalStateException("on purpose");
  }

  @EventHandler("Taken")
  void take(Event event) {
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
