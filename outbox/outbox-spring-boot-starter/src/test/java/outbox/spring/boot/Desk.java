package outbox.spring.boot;

import holdfast.testkit.threads.WorkDesk;
import outbox.EventEnvelope;

/** Listeners that hold, fail or take what they are given, and count it. */
final class Desk extends WorkDesk {

  @OutboxListener("Held")
  void hold(EventEnvelope event) throws InterruptedException {
    holdUp();
  }

  @OutboxListener("Fails")
  void fail(EventEnvelope event) {
    fail();
  }

  @OutboxListener("Taken")
  void take(EventEnvelope event) {
    take();
  }
}
