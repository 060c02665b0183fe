package outbox.dispatch;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
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
    } else if (outcome instanceof Outcome.Retry retry) {
      metrics.incrementDispatchFailure();
      logRetry(mark.delivery(), retry);
    } else if (outcome instanceof Outcome.Dead dead) {
      metrics.incrementDispatchDead();
      logDead(mark.delivery(), dead);
    } else {
      metrics.incrementGivenBack();
    }
    mark.dueIn().ifPresent(onDue);
  }

  private static void logRetry(Delivery delivery, Outcome.Retry retry) {
    if (LOG.isLoggable(DEBUG)) {
      log(DEBUG, "outbox retry", delivery, " in=" + retry.delay(), retry.error(), retry.cause());
    }
  }

  private static void logDead(Delivery delivery, Outcome.Dead dead) {
    log(ERROR, "outbox dead", delivery, "", dead.error(), dead.cause());
  }

  private static void log(
      System.Logger.Level level,
      String what,
      Delivery delivery,
      String more,
      String error,
      @Nullable Throwable cause) {
    LOG.log(
        level,
        what
            + " eventId="
            + delivery.eventId()
            + " type="
            + delivery.event().eventType()
            + " attempts="
            + (delivery.queued().attempts() + 1)
            + more
            + " error="
            + error,
        FailureText.printable(cause));
  }
}
