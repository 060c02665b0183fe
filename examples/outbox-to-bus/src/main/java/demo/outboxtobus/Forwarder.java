package demo.outboxtobus;

import eventbus.Event;
import eventbus.EventBus;
import holdfast.jdbc.Transactions;
import java.sql.SQLException;
import javax.sql.DataSource;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.NonRetryableException;
import outbox.jdbc.Inbox;

/**
 * Publishes what the outbox delivers on the bus. The outbox delivers at least once; the note in the
 * inbox and the event on the bus are of one transaction, so that each event is on the bus once.
 * Safe for use by many threads.
 */
public final class Forwarder implements EventListener {
  private final Transactions transactions;
  private final EventBus bus;
  private final Inbox inbox = new Inbox();

  /** A forwarder onto that bus. */
  public Forwarder(DataSource dataSource, EventBus bus) {
    this.transactions = Transactions.of(dataSource);
    this.bus = bus;
  }

  // region forward
  @Override
  public void onEvent(EventEnvelope event) throws SQLException, NonRetryableException {
    Event onTheBus = toBus(event);
    transactions.run(
        tx -> {
          if (inbox.firstTime(tx, "bus", event.eventId())) {
            bus.publish(tx, onTheBus);
          }
        });
    bus.wakeUp();
  }

  // endregion

  private static Event toBus(EventEnvelope event) throws NonRetryableException {
    String json = event.payloadJson();
    if (json == null) {
      throw new NonRetryableException("the payload must be JSON to go on the bus but is bytes");
    }
    return Event.builder(event.eventType())
        .payload(json)
        .header("outboxEventId", event.eventId())
        .build();
  }
}
