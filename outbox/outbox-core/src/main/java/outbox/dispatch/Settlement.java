package outbox.dispatch;

import static java.lang.System.Logger.Level.ERROR;

import java.time.Duration;
import java.util.function.Consumer;
import outbox.spi.MetricsExporter;

/**
 * What follows once a mark is written: the event is let go, counted, and its poller told when
 * something is due because of it. Safe for use by many threads.
 */
final class Settlement implements Consumer<Mark> {
  private static final System.Logger LOG = System.getLogger("outbox");

  private final InHand inHand;
  private final MetricsExporter metrics;
  private volatile Consumer<Duration> onDue = delay -> {};

  Settlement(InHand inHand, MetricsExporter metrics) {
    this.inHand = inHand;
    this.metrics = metrics;
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
    if (outcome instanceof Outcome.Done) {
      metrics.incrementDispatchSuccess();
    } else if (outcome instanceof Outcome.Retry) {
      metrics.incrementDispatchFailure();
    } else if (outcome instanceof Outcome.Dead dead) {
      metrics.incrementDispatchDead();
      logDead(mark.delivery(), dead);
    } else {
      metrics.incrementGivenBack();
    }
    mark.dueIn().ifPresent(onDue);
  }

  private static void logDead(Delivery delivery, Outcome.Dead dead) {
    LOG.log(
        ERROR,
        "outbox dead eventId="
            + delivery.eventId()
            + " type="
            + delivery.event().eventType()
            + " attempts="
            + (delivery.queued().attempts() + 1)
            + " error="
            + dead.error());
  }
}
