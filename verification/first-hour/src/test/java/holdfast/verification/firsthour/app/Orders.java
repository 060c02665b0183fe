package holdfast.verification.firsthour.app;

import holdfast.payload.PayloadType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import outbox.OutboxClient;

/** Orders and their events, written together or not at all. Safe for use by many threads. */
@Service
class Orders {
  /** What listeners and handlers are told of an order. */
  @PayloadType("OrderPlaced")
  record Placed(String order, int cents) {}

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
        outbox
            .eventOf(new Placed(order, price.cents()))
            .aggregateType("Order")
            .aggregateId(order)
            .build());
  }
}
