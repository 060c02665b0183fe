package failover.jdbc;

import failover.store.FailoverStore;
import failover.store.FailoverStoreContract;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** What every store does, on each database. */
class JdbcFailoverStoreTest {

  /** The contract on one kind of database. */
  abstract static class OnDatabase extends FailoverStoreContract {
    private final DatabaseKind kind;
    private TestDatabase database;

    OnDatabase(DatabaseKind kind) {
      this.kind = kind;
    }

    @Override
    protected FailoverStore newStore() throws SQLException {
      database = TestDatabase.open(kind);
      FailoverSchema.createIfMissing(database.dataSource());
      return new JdbcFailoverStore(database.dataSource());
    }

    @AfterEach
    void dropDatabase() throws SQLException {
      if (database != null) {
        database.close();
      }
    }
  }

  @Nested
  class OnH2 extends OnDatabase {
    OnH2() {
      super(DatabaseKind.H2);
    }
  }

  @Nested
  class OnPostgresql extends OnDatabase {
    OnPostgresql() {
      super(DatabaseKind.POSTGRESQL);
    }
  }

  @Nested
  class OnMariadb extends OnDatabase {
    OnMariadb() {
      super(DatabaseKind.MARIADB);
    }
  }
}
