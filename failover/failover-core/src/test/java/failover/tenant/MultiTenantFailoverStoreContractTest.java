package failover.tenant;

import failover.key.StoredName;
import failover.store.AsyncFailoverStore;
import failover.store.EncryptingFailoverStore;
import failover.store.FailoverStore;
import failover.store.FailoverStoreContract;
import failover.store.InMemoryFailoverStore;
import failover.store.NearFarFailoverStore;
import failover.store.WriteSkippingFailoverStore;
import failover.store.encryption.AesGcmPayloadCipher;
import holdfast.testkit.threads.Eventually;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Nested;

/** What every store does, for a tenant of each kind, and behind all that may stand before it. */
class MultiTenantFailoverStoreContractTest {

  /** The contract for a tenant. */
  abstract static class ForTenant extends FailoverStoreContract {
    private final String tenant;

    ForTenant(String tenant) {
      this.tenant = tenant;
    }

    @Override
    protected FailoverStore newStore() {
      Tenants tenants =
          Tenants.of(TenantContext.resolver()).withDefault("default").known(List.of("acme"));
      TenantTables tables = new TenantTables();
      tables.shared.add("default");
      return new MultiTenantFailoverStore(tenants, tables);
    }

    @Override
    protected String storedName(String effectiveName) {
      return StoredName.text(tenant, effectiveName);
    }
  }

  @Nested
  class WithAStoreOfItsOwn extends ForTenant {
    WithAStoreOfItsOwn() {
      super("acme");
    }
  }

  @Nested
  class ThatIsTheDefault extends ForTenant {
    ThatIsTheDefault() {
      super("default");
    }
  }

  @Nested
  class ThatIsUnknown extends ForTenant {
    ThatIsUnknown() {
      super("stranger");
    }
  }

  @Nested
  class WithoutTenant extends ForTenant {
    WithoutTenant() {
      super("unused");
    }

    @Override
    protected String storedName(String effectiveName) {
      return effectiveName;
    }
  }

  @Nested
  class NearAndEncrypted extends ForTenant {
    private AsyncFailoverStore queue;

    NearAndEncrypted() {
      super("acme");
    }

    @Override
    protected FailoverStore newStore() {
      FailoverStore encrypted =
          new EncryptingFailoverStore(
              super.newStore(),
              AesGcmPayloadCipher.of("1", Base64.getEncoder().encodeToString(new byte[32])));
      queue = new AsyncFailoverStore(new WriteSkippingFailoverStore(encrypted));
      return new NearFarFailoverStore(new InMemoryFailoverStore(), queue);
    }

    @Override
    protected long storedBytes(int content) {
      return content + 46; // the envelope
    }

    @Override
    protected void settle(FailoverStore store) {
      Eventually.await("all is written", () -> queue.waiting() == 0);
    }
  }
}
