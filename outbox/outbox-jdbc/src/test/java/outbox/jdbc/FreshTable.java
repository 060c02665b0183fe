package outbox.jdbc;

import holdfast.testkit.db.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A new table for each test, and outboxes on it that are closed after the test. */
abstract class FreshTable {
  private final List<JdbcOutbox> open = new ArrayList<>();
  Table table;
  TestDatabase database;

  @BeforeEach
  void connect(TestDatabase database) throws SQLException {
    this.database = database;
    this.table = Table.fresh(database);
  }

  @AfterEach
  void close() {
    open.forEach(outbox -> outbox.close(Duration.ofSeconds(5)));
  }

  final JdbcOutbox open(JdbcOutboxBuilder settings) {
    JdbcOutbox outbox = settings.build();
    open.add(outbox);
    return outbox;
  }

  final JdbcOutboxBuilder settings() {
    return JdbcOutbox.builder(database.dataSource());
  }
}
