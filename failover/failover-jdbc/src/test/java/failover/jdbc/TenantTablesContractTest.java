package failover.jdbc;

import failover.key.StoredName;
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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

/** What every store does, for a tenant: by its table alone, and with all that may be before it. */
class TenantTablesContractTest {
  private static final AesGcmPayloadCipher CIPHER =
      AesGcmPayloadCipher.of("1", Base64.getEncoder().encodeToString(new byte[32]));

  /** What an envelope takes: its header, the id and check of the key, the nonce, the tag. */
  private static final long ENVELOPE = 46;

  private static final Map<Class<?>, TestDatabase> DATABASES = new ConcurrentHashMap<>();

  @AfterAll
  static void dropDatabases() throws SQLException {
    for (TestDatabase database : DATABASES.values()) {
      new TenantDatabase(database).close();
      database.close();
    }
    DATABASES.clear();
  }

  /** The contract for a tenant on one kind of database. */
  abstract static class ForTenant extends FailoverStoreContract {
    private final DatabaseKind kind;
    private final String tenant;

    ForTenant(DatabaseKind kind, String tenant) {
      this.kind = kind;
      this.tenant = tenant;
    }

    /** One database for all tests of a class, since making the tables takes its time. */
    @Override
    protected FailoverStore newStore() throws SQLException {
      TestDatabase database = DATABASES.get(getClass());
      if (database == null) {
        database = TestDatabase.open(kind);
        DATABASES.put(getClass(), database);
      }
      return new TenantDatabase(database).store();
    }

    @Override
    protected String storedName(String effectiveName) {
      return StoredName.text(tenant, effectiveName);
    }
  }

  /** The same near and far, encrypted, with a queue, and unchanged answers skipped. */
  abstract static class NearForTenant extends ForTenant {
    private AsyncFailoverStore queue;

    NearForTenant(DatabaseKind kind, String tenant) {
      super(kind, tenant);
    }

    @Override
    protected FailoverStore newStore() throws SQLException {
      queue =
          new AsyncFailoverStore(
              new WriteSkippingFailoverStore(
                  new EncryptingFailoverStore(super.newStore(), CIPHER)));
      return new NearFarFailoverStore(new InMemoryFailoverStore(), queue);
    }

    @Override
    protected long storedBytes(int content) {
      return content + ENVELOPE;
    }

    @Override
    protected void settle(FailoverStore store) {
      Eventually.await("all is written", () -> queue.waiting() == 0);
    }
  }

  @Nested
  class ByPrefixOnH2 extends NearForTenant {
    ByPrefixOnH2() {
      super(DatabaseKind.H2, "acme");
    }
  }

  @Nested
  class BySchemaOnH2 extends ForTenant {
    BySchemaOnH2() {
      super(DatabaseKind.H2, "zeta");
    }
  }

  @Nested
  class UnknownOnH2 extends ForTenant {
    UnknownOnH2() {
      super(DatabaseKind.H2, "stranger");
    }
  }

  @Nested
  class ByPrefixOnPostgresql extends ForTenant {
    ByPrefixOnPostgresql() {
      super(DatabaseKind.POSTGRESQL, "acme");
    }
  }

  @Nested
  class BySchemaOnPostgresql extends NearForTenant {
    BySchemaOnPostgresql() {
      super(DatabaseKind.POSTGRESQL, "zeta");
    }
  }

  @Nested
  class ByPrefixOnMariadb extends ForTenant {
    ByPrefixOnMariadb() {
      super(DatabaseKind.MARIADB, "acme");
    }
  }

  @Nested
  class BySchemaOnMariadb extends NearForTenant {
    BySchemaOnMariadb() {
      super(DatabaseKind.MARIADB, "zeta");
    }
  }
}
