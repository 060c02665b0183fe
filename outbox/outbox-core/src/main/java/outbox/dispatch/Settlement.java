package outbox.dispatch;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * What follows once a mark is written: the event is let go, counted, and its poller told when
 * something is due because of it. Safe for use by many threads.
 */
final class Settlement implements Consumer<Mark> {
  private final InHand inHand;
  private final DeliveryLog log;
  private volatile Consumer<Duration> onDue = delay -> {};

  Settlement(InHand inHand, DeliveryLog log) {
    this.inHand = inHand;
    this.log = log;
  }

  void onDue(Consumer<Duration> listener) {
    onDue = listener;
  }

  @Override
  public void accept(Mark mark) {
    Outcome outcome = mark.outcome();
    if (outcome instanceof Outcome.GivenBack) {
      inHand.release(mark.delivery());
    } else {
      inHand.settle(mark.delivery());
    }
    log.written(mark.delivery(), outcome);
    mark.dueIn().ifPresent(onDue);
  }
}
