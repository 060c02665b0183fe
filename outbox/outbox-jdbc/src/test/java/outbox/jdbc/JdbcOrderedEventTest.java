package outbox.jdbc;

import holdfast.testkit.db.DatabaseKind;
import java.sql.SQLException;
import org.junit.jupiter.api.Nested;
import outbox.spi.LeaseStore;
import outbox.spi.OrderedEventContract;

/** The JDBC store keeps the order of aggregates as {@link LeaseStore} says, on each database. */
class JdbcOrderedEventTest {

  @Nested
  class OnH2 extends OrderedEventContract {
    OnH2() throws SQLException {
      super(new KitDatabase(DatabaseKind.H2));
    }
  }

  @Nested
  class OnPostgresql extends OrderedEventContract {
    OnPostgresql() throws SQLException {
      super(new KitDatabase(DatabaseKind.POSTGRESQL));
    }
  }

  @Nested
  class OnMariadb extends OrderedEventContract {
    OnMariadb() throws SQLException {
      super(new KitDatabase(DatabaseKind.MARIADB));
    }
  }
}
