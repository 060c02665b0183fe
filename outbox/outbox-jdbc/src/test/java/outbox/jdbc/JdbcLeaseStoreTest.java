package outbox.jdbc;

import holdfast.testkit.db.DatabaseKind;
import java.sql.SQLException;
import org.junit.jupiter.api.Nested;
import outbox.spi.LeaseStore;
import outbox.spi.LeaseStoreContract;

/** The JDBC store lends events as {@link LeaseStore} says, on each database. */
class JdbcLeaseStoreTest {

  @Nested
  class OnH2 extends LeaseStoreContract {
    OnH2() throws SQLException {
      super(new KitDatabase(DatabaseKind.H2));
    }
  }

  @Nested
  class OnPostgresql extends LeaseStoreContract {
    OnPostgresql() throws SQLException {
      super(new KitDatabase(DatabaseKind.POSTGRESQL));
    }
  }

  @Nested
  class OnMariadb extends LeaseStoreContract {
    OnMariadb() throws SQLException {
      super(new KitDatabase(DatabaseKind.MARIADB));
    }
  }
}
