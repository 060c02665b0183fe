package eventbus.spring.boot;

import eventbus.Event;
import eventbus.spring.EventHandler;
import holdfast.testkit.threads.WorkDesk;

/** Handlers that hold, fail or take what they are given, and count it. */
final class Desk extends WorkDesk {

  @EventHandler("Held")
  void hold(Event event) throws InterruptedException {
    holdUp();
  }

  @EventHandler("Fails")
  void fail(Event event) {
    fail();
  }

  @EventHandler("Taken")
  void take(Event event) {
    take();
  }
}
