package holdfast.verification.firsthour.app;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import outbox.EventEnvelope;
import outbox.OutboxClient;

/** Orders and their events, written together or not at all. Safe for use by many threads. */
@Service
class Orders {
  static final String PLACED = "OrderPlaced";

  private final JdbcClient sql;
  private final OutboxClient outbox;

  Orders(JdbcClient sql, OutboxClient outbox) {
    this.sql = sql;
    this.outbox = outbox;
  }

  @Transactional
  public void place(String order, Supplier.Price price) {
    sql.sql("INSERT INTO shop_order (id, item, cents) VALUES (?, ?, ?)")
        .params(order, price.item(), price.cents())
        .update();
    outbox.publish(
        EventEnvelope.builder(PLACED)
            .aggregateType("Order")
            .aggregateId(order)
            .payloadJson("{\"cents\":" + price.cents() + "}")
            .build());
  }
}
