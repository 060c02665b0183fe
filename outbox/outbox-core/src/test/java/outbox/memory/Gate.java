package outbox.memory;

import java.util.concurrent.CountDownLatch;
import outbox.EventEnvelope;
import outbox.EventListener;

/** A listener that waits until the test lets it go on. Safe for use by many threads. */
public final class Gate implements EventListener {
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch opened = new CountDownLatch(1);

  @Override
  public void onEvent(EventEnvelope event) throws InterruptedException {
    entered.countDown();
    opened.await();
  }

  /** Waits until an event is inside. */
  public void awaitEntered() throws InterruptedException {
    entered.await();
  }

  /** Lets all events pass from now on. */
  public void open() {
    opened.countDown();
  }
}
