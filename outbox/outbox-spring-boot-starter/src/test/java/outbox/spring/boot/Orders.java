package outbox.spring.boot;

import holdfast.payload.PayloadType;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import outbox.OutboxClient;

// region publisher
@PayloadType("OrderPlaced")
record OrderPlaced(String item) {}

@Service
class Orders {
  private final JdbcTemplate sql;
  private final OutboxClient outbox;

  Orders(JdbcTemplate sql, OutboxClient outbox) {
    this.sql = sql;
    this.outbox = outbox;
  }

  @Transactional
  public void place(String item) {
    sql.update("INSERT INTO orders (item) VALUES (?)", item);
    outbox.publishPayload(new OrderPlaced(item));
  }
}
// endregion
