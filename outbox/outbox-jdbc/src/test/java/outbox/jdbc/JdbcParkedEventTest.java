package outbox.jdbc;

import holdfast.testkit.db.DatabaseKind;
import java.sql.SQLException;
import org.junit.jupiter.api.Nested;
import outbox.spi.LeaseStore;
import outbox.spi.ParkedEventContract;

/** The JDBC store sets waiting events aside as {@link LeaseStore} says, on each database. */
class JdbcParkedEventTest {

  @Nested
  class OnH2 extends ParkedEventContract {
    OnH2() throws SQLException {
      super(new KitDatabase(DatabaseKind.H2));
    }
  }

  @Nested
  class OnPostgresql extends ParkedEventContract {
    OnPostgresql() throws SQLException {
      super(new KitDatabase(DatabaseKind.POSTGRESQL));
    }
  }

  @Nested
  class OnMariadb extends ParkedEventContract {
    OnMariadb() throws SQLException {
      super(new KitDatabase(DatabaseKind.MARIADB));
    }
  }
}
