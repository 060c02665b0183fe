package outbox.jdbc;

import holdfast.testkit.db.DatabaseKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import outbox.spi.HeldEventContract;
import outbox.spi.LeaseStore;
import outbox.spi.StoredEvent;

/** The JDBC store fences the marks of nodes as {@link LeaseStore} says, on each database. */
class JdbcHeldEventTest {

  @Nested
  class OnH2 extends OnEach {
    OnH2() {
      super(DatabaseKind.H2);
    }
  }

  @Nested
  class OnPostgresql extends OnEach {
    OnPostgresql() {
      super(DatabaseKind.POSTGRESQL);
    }
  }

  @Nested
  class OnMariadb extends OnEach {
    OnMariadb() {
      super(DatabaseKind.MARIADB);
    }
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class OnEach extends HeldEventContract {
    private final DatabaseKind kind;
    private KitDatabase database;

    OnEach(DatabaseKind kind) {
      this.kind = kind;
    }

    @BeforeAll
    void open() throws SQLException {
      database = new KitDatabase(kind);
    }

    @BeforeEach
    void empty() throws SQLException {
      database.empty();
    }

    @AfterAll
    void close() throws SQLException {
      if (database != null) {
        database.close();
      }
    }

    @Override
    protected LeaseStore store() {
      return database.store;
    }

    @Override
    protected LeaseStore storeAfter(Duration passed) {
      return database.after(passed);
    }

    @Override
    protected Connection connect() throws SQLException {
      return database.connect();
    }

    @Override
    protected StoredEvent stored(String eventId) throws SQLException {
      return database.stored(eventId);
    }
  }
}
