package outbox.jdbc;

import holdfast.testkit.db.DatabaseKind;
import java.sql.SQLException;
import org.junit.jupiter.api.Nested;
import outbox.spi.HeldEventContract;
import outbox.spi.LeaseStore;

/** The JDBC store fences the marks of nodes as {@link LeaseStore} says, on each database. */
class JdbcHeldEventTest {

  @Nested
  class OnH2 extends HeldEventContract {
    OnH2() throws SQLException {
      super(new KitDatabase(DatabaseKind.H2));
    }
  }

  @Nested
  class OnPostgresql extends HeldEventContract {
    OnPostgresql() throws SQLException {
      super(new KitDatabase(DatabaseKind.POSTGRESQL));
    }
  }

  @Nested
  class OnMariadb extends HeldEventContract {
    OnMariadb() throws SQLException {
      super(new KitDatabase(DatabaseKind.MARIADB));
    }
  }
}
