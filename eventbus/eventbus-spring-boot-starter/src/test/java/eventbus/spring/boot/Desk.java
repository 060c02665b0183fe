package eventbus.spring.boot;

import eventbus.Event;
import eventbus.spring.EventBusHandler;
import holdfast.testkit.threads.WorkDesk;

/** Handlers that hold, fail or take what they are given, and count it. */
final class Desk extends WorkDesk {

  @EventBusHandler("Held")
  void hold(Event event) throws InterruptedException {
    holdUp();
  }

  @EventBusHandler("Fails")
  void fail(Event event) {
    fail();
  }

  @EventBusHandler("Taken")
  void take(Event event) {
    take();
  }
}
