package demo.outbox.spring;

import java.util.Map;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import outbox.EventEnvelope;
import outbox.OutboxClient;

/** Orders and their events, written together or not at all. Safe for use by many threads. */
@Service
class Orders {
  private final JdbcClient sql;
  private final OutboxClient outbox;

  Orders(JdbcClient sql, OutboxClient outbox) {
    this.sql = sql;
    this.outbox = outbox;
  }

  @Transactional
  public Map<String, Object> place(String item) {
    GeneratedKeyHolder key = new GeneratedKeyHolder();
    sql.sql("INSERT INTO orders (item) VALUES (?)").param(item).update(key, "id");
    long id = Objects.requireNonNull(key.getKeyAs(Long.class), "the order's number");
    EventEnvelope event =
        outbox
            .eventOf(new OrderPlaced(id, item))
            .aggregateType("Order")
            .aggregateId(Long.toString(id))
            .build();
    return Map.of("orderId", id, "eventId", outbox.publish(event));
  }

  /** Places an order and then fails, which takes the order back and its event with it. */
  @Transactional
  public void placeAndFail(String item) {
    place(item);
    throw new SoldOutException(item);
  }
}
