package failover.store;

import failover.key.StoreKey;
import failover.store.FailoverStore.StoredEntry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A store that knows answers by their ids alone, as a table does, and is down while told to. */
public final class IdStore implements FailoverStore {
  private final InMemoryFailoverStore rows = new InMemoryFailoverStore();
  public volatile boolean writesFail;
  public volatile @Nullable Error error;

  private static StoreKey row(StoreKey key) {
    return StoreKey.stored(key.name(), key.id());
  }

  private void checkWrites() {
    if (error != null) {
      throw error;
    }
    if (writesFail) {
      throw new FailoverStoreException("told to fail", null);
    }
  }

  @Override
  public void store(ReferentialPayload answer) {
    checkWrites();
    rows.store(answer.under(row(answer.key())));
  }

  @Override
  public void delete(StoreKey key) {
    checkWrites();
    rows.delete(row(key));
  }

  @Override
  public Optional<ReferentialPayload> find(StoreKey key) {
    return rows.find(row(key)).map(answer -> answer.under(key));
  }

  @Override
  public List<StoredEntry> entries(String name, int limit) {
    return rows.entries(name, limit);
  }

  @Override
  public int deleteAll(String name) {
    checkWrites();
    return rows.deleteAll(name);
  }

  @Override
  public int expireAll(String name, Instant now) {
    checkWrites();
    return rows.expireAll(name, now);
  }

  @Override
  public long cleanByExpiry(Instant cutoff) {
    return rows.cleanByExpiry(cutoff);
  }
}
