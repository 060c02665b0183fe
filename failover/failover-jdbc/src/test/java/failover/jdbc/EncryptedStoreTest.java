package failover.jdbc;

import failover.store.AsyncFailoverStore;
import failover.store.EncryptingFailoverStore;
import failover.store.FailoverStore;
import failover.store.FailoverStoreContract;
import failover.store.InMemoryFailoverStore;
import failover.store.NearFarFailoverStore;
import failover.store.WriteSkippingFailoverStore;
import failover.store.encryption.AesGcmPayloadCipher;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.sql.SQLException;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** What every store does, encrypted, on each database: by itself and as applications have it. */
class EncryptedStoreTest {
  private static final AesGcmPayloadCipher CIPHER =
      AesGcmPayloadCipher.of("1", Base64.getEncoder().encodeToString(new byte[32]));

  /** What an envelope takes: its header, the id and check of the key, the nonce, the tag. */
  private static final int ENVELOPE = 46;

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
      return new EncryptingFailoverStore(new JdbcFailoverStore(database.dataSource()), CIPHER);
    }

    @Override
    protected long storedBytes(int content) {
      return content + ENVELOPE;
    }

    @AfterEach
    void dropDatabase() throws SQLException {
      if (database != null) {
        database.close();
      }
    }
  }

  /** The same near and far, with a queue and unchanged answers skipped. */
  abstract static class NearOnDatabase extends OnDatabase {
    private AsyncFailoverStore queue;

    NearOnDatabase(DatabaseKind kind) {
      super(kind);
    }

    @Override
    protected FailoverStore newStore() throws SQLException {
      queue = new AsyncFailoverStore(new WriteSkippingFailoverStore(super.newStore()));
      return new NearFarFailoverStore(new InMemoryFailoverStore(), queue);
    }

    @Override
    protected void settle(FailoverStore store) {
      Eventually.await("all is written", () -> queue.waiting() == 0);
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

  @Nested
  class NearOnH2 extends NearOnDatabase {
    NearOnH2() {
      super(DatabaseKind.H2);
    }
  }

  @Nested
  class NearOnPostgresql extends NearOnDatabase {
    NearOnPostgresql() {
      super(DatabaseKind.POSTGRESQL);
    }
  }

  @Nested
  class NearOnMariadb extends NearOnDatabase {
    NearOnMariadb() {
      super(DatabaseKind.MARIADB);
    }
  }
}
