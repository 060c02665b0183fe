package failover.tenant;

import failover.store.BytesStore;
import failover.store.FailoverStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** What stands for the tables of tenants, which stay when a store is closed. */
final class TenantTables implements TenantStoreFactory {
  final Map<String, BytesStore> tables = new ConcurrentHashMap<>();

  /** How often the store of a tenant was made. */
  final Map<String, AtomicInteger> made = new ConcurrentHashMap<>();

  final AtomicInteger closed = new AtomicInteger();

  /** Those without a store of their own. */
  final Set<String> shared = ConcurrentHashMap.newKeySet();

  @Override
  public FailoverStore create(String tenant) {
    made.computeIfAbsent(tenant, id -> new AtomicInteger()).incrementAndGet();
    return new ClosingStore(table(tenant), closed);
  }

  BytesStore table(String tenant) {
    return tables.computeIfAbsent(tenant, id -> new BytesStore());
  }

  int made(String tenant) {
    AtomicInteger count = made.get(tenant);
    return count == null ? 0 : count.get();
  }

  @Override
  public boolean isShared(String tenant) {
    return shared.contains(tenant);
  }

  /** The table of a tenant while its store is open. */
  private static final class ClosingStore extends ForwardingStore {
    private final AtomicInteger closed;
    private volatile boolean isClosed;

    ClosingStore(FailoverStore table, AtomicInteger closed) {
      super(table);
      this.closed = closed;
    }

    @Override
    void use() {
      if (isClosed) {
        throw new IllegalStateException("must not be used when it is closed");
      }
    }

    @Override
    public long sweep(Instant cutoff, Duration interval) {
      use();
      return target.cleanByExpiry(cutoff);
    }

    @Override
    public int close(Duration timeout) {
      use();
      isClosed = true;
      closed.incrementAndGet();
      return 0;
    }
  }
}
