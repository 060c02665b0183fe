package relay.kafka;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.ProducerRecord;
import outbox.EventEnvelope;

/**
 * An event on its way to the broker: the stage that the outbox waits for. It ends once: with the
 * acknowledgement, with a failure, or cancelled by the outbox. Safe for use by many threads.
 */
final class PendingEvent extends CompletableFuture<Void> {
  private final EventEnvelope event;
  private final ProducerRecord<String, byte[]> record;
  private final SendCounts counts;
  private final AtomicBoolean counted = new AtomicBoolean();

  /** When it was held, and in which era it was sent; guarded by the sender's lock. */
  long heldAt;

  long era;

  PendingEvent(EventEnvelope event, ProducerRecord<String, byte[]> record, SendCounts counts) {
    this.event = event;
    this.record = record;
    this.counts = counts;
    counts.sent();
  }

  EventEnvelope event() {
    return event;
  }

  ProducerRecord<String, byte[]> record() {
    return record;
  }

  /** Returns how many bytes its record has, about. */
  long size() {
    byte[] value = record.value();
    return value == null ? 0 : value.length;
  }

  /** Ends it as delivered. */
  void acknowledge() {
    if (counted.compareAndSet(false, true)) {
      counts.acknowledged();
    }
    complete(null);
  }

  /** Ends it as failed. */
  void fail(FailureReason reason, Exception failure) {
    count(reason);
    completeExceptionally(failure);
  }

  /** The outbox does not wait any longer. */
  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    count(FailureReason.CANCELLED);
    return super.cancel(mayInterruptIfRunning);
  }

  private void count(FailureReason reason) {
    if (counted.compareAndSet(false, true)) {
      counts.failed(reason);
    }
  }
}
