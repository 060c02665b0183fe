package outbox.jdbc;

import holdfast.testkit.db.DatabaseKind;
import java.sql.SQLException;
import org.junit.jupiter.api.Nested;
import outbox.spi.EventStore;
import outbox.spi.EventStoreContract;

/** The JDBC store keeps the contract of {@link EventStore} on each database. */
class JdbcEventStoreTest {

  @Nested
  class OnH2 extends EventStoreContract {
    OnH2() throws SQLException {
      super(new KitDatabase(DatabaseKind.H2));
    }
  }

  @Nested
  class OnPostgresql extends EventStoreContract {
    OnPostgresql() throws SQLException {
      super(new KitDatabase(DatabaseKind.POSTGRESQL));
    }
  }

  @Nested
  class OnMariadb extends EventStoreContract {
    OnMariadb() throws SQLException {
      super(new KitDatabase(DatabaseKind.MARIADB));
    }
  }
}
