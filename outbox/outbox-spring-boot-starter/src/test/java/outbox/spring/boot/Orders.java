package outbox.spring.boot;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import outbox.EventEnvelope;
import outbox.OutboxClient;

// region publisher
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
    outbox.publish(EventEnvelope.ofJson("OrderPlaced", "{\"item\":\"" + item + "\"}"));
  }
}
// endregion
