package chaos.outbox;

import holdfast.testkit.process.Acknowledged;
import holdfast.time.TimeSource;
import java.time.Instant;
import java.util.Random;
import outbox.EventEnvelope;
import outbox.EventListener;

/**
 * Acknowledges each delivery and fails some. The line is all that a delivery does: whoever reads it
 * sees every delivery there was and no other. Safe for use by many threads.
 */
final class RecordingListener implements EventListener {
  private final NodeSettings settings;
  private final Random random;

  RecordingListener(NodeSettings settings, Random random) {
    this.settings = settings;
    this.random = random;
  }

  @Override
  public void onEvent(EventEnvelope event) {
    Instant start = TimeSource.system().instant();
    String aggregate = event.aggregateId();
    boolean stuck = Integer.toString(settings.stuck()).equals(aggregate);
    boolean fails = stuck || random.nextInt(100) < settings.failing();
    Delivery delivery =
        new Delivery(
            event.eventId(),
            settings.name(),
            start,
            TimeSource.system().instant(),
            !fails,
            aggregate == null ? -1 : Integer.parseInt(aggregate),
            Integer.parseInt(event.payloadJson()));
    Acknowledged.line(delivery.toLine());
    if (fails) {
      throw new IllegalStateException(stuck ? "stuck" : "by chance");
    }
  }
}
