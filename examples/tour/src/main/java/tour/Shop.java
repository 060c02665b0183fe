package tour;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcTransactionManager;
import tracer.TraceSpan;

/** The order service. Safe for use by many threads. */
final class Shop {
  private static final int SABOTAGED = 7;

  private final JdbcOutbox outbox;
  private final Orders orders;
  private final Steps steps;
  private final boolean sabotage;
  private final AtomicLong lastId = new AtomicLong();

  Shop(JdbcOutbox outbox, Orders orders, Steps steps, boolean sabotage) {
    this.outbox = outbox;
    this.orders = orders;
    this.steps = steps;
    this.sabotage = sabotage;
  }

  /** Takes an order over HTTP. */
  void take(HttpExchange exchange) throws IOException {
    String item = exchange.getRequestURI().getQuery();
    long id = lastId.incrementAndGet();
    try (TraceSpan span = steps.trace().span(Steps.PLACE, id)) {
      span.flow(id);
      place(id, item);
      Service.answer(exchange, 201, Long.toString(id));
    } catch (SQLException | RuntimeException e) {
      Service.answer(exchange, 500, String.valueOf(e.getMessage()));
    }
  }

  // region place
  private void place(long id, String item) throws SQLException {
    try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
      orders.insert(tx.connection(), id, item);
      if (!(sabotage && id == SABOTAGED)) {
        outbox.publishPayload(new OrderPlaced(id, item));
      }
      tx.commit();
    }
    steps.done("place", id, item);
  }

  // endregion
}
