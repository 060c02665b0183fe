package holdfast.verification.firsthour.app;

import eventbus.EventBus;
import eventbus.spring.EventBusHandler;
import eventlog.AsyncEventLogger;
import eventlog.EventStatus;
import eventlog.EventType;
import eventlog.spring.EventLogContext;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import outbox.EventEnvelope;
import outbox.jdbc.Inbox;
import outbox.spring.boot.OutboxListener;

/** Takes orders from the outbox to the bus, and from the bus to the event log. */
@Component
class OrderEvents {
  private final JdbcTemplate sql;
  private final EventBus bus;
  private final AsyncEventLogger log;
  private final EventLogContext context;
  private final Inbox inbox = new Inbox();

  OrderEvents(JdbcTemplate sql, EventBus bus, AsyncEventLogger log, EventLogContext context) {
    this.sql = sql;
    this.bus = bus;
    this.log = log;
    this.context = context;
  }

  @Transactional
  @OutboxListener
  public void forward(Orders.Placed placed, EventEnvelope event) {
    ConnectionCallback<Boolean> firstTime =
        connection -> inbox.firstTime(connection, "bus", event.eventId());
    if (Boolean.TRUE.equals(sql.execute(firstTime))) {
      bus.publishPayload(placed);
    }
  }

  @EventBusHandler
  public void log(Orders.Placed placed) {
    log.log(
        context
            .event()
            .processName("PlaceOrder")
            .eventType(EventType.STEP)
            .eventStatus(EventStatus.SUCCESS)
            .summary("Order placed")
            .result(placed.order())
            .idempotencyKey(placed.order())
            .build());
  }
}
