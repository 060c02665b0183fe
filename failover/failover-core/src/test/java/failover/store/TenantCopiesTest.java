package failover.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.key.StoreKey;
import failover.key.StoredName;
import failover.key.canonical.CanonicalKeys;
import failover.store.ReferentialPayload.Payload;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Copies of several tenants, some of whose stores fail, compared by the sweep. */
@Timeout(60)
class TenantCopiesTest {
  private static final Instant NOW = SettableTime.START;
  private static final Duration HOUR = Duration.ofHours(1);

  private final SettableTime time = new SettableTime();
  private final InMemoryFailoverStore near = new InMemoryFailoverStore();
  private final SilentTable far = new SilentTable();

  /** A table that cannot tell what has changed, and fails for some tenants. */
  private static final class SilentTable extends ForwardingFailoverStore {
    final Set<String> down = ConcurrentHashMap.newKeySet();
    boolean isSwept;

    SilentTable() {
      super(new InMemoryFailoverStore());
    }

    @Override
    public void store(ReferentialPayload answer) {
      target.store(answer);
    }

    @Override
    public void delete(StoreKey key) {
      target.delete(key);
    }

    @Override
    public Optional<ReferentialPayload> find(StoreKey key) {
      return target.find(key);
    }

    @Override
    public Map<StoreKey, Instant> momentsOf(Collection<StoreKey> keys) {
      for (StoreKey key : keys) {
        if (down.contains(String.valueOf(StoredName.tenant(key.name())))) {
          throw FailoverStoreException.unavailable("told to be down", null);
        }
      }
      return target.momentsOf(keys);
    }

    @Override
    public long sweep(Instant cutoff, Duration interval) {
      isSwept = true;
      return super.sweep(cutoff, interval);
    }
  }

  private static StoreKey key(String tenant) {
    return CanonicalKeys.ofText(StoredName.text(tenant, "price"), "a");
  }

  private NearFarFailoverStore withCopies(List<String> tenants) {
    NearFarFailoverStore both = new NearFarFailoverStore(near, far, HOUR, time);
    for (String tenant : tenants) {
      both.store(
          new ReferentialPayload(
              key(tenant), NOW, NOW.plus(HOUR), Payload.ofBytes("a.Type", 1, new byte[] {1})));
      far.target.delete(key(tenant)); // somebody else has removed it
    }
    return both;
  }

  @Test
  void aTenantWhoseStoreFailsKeepsNoneOfTheOthersFromBeingCompared() {
    List<String> tenants = List.of("a", "b", "c", "down", "e", "f");
    far.down.add("down");
    try (NearFarFailoverStore both = withCopies(tenants)) {
      assertThatThrownBy(() -> both.sweep(NOW, HOUR)).hasMessage("told to be down");
      assertThat(near.names().orElseThrow()).containsExactly(StoredName.text("down", "price"));
      assertThat(far.isSwept).isTrue();
      far.down.clear();
      both.sweep(NOW, HOUR);
      assertThat(near.names().orElseThrow()).isEmpty();
    }
  }

  @Test
  void whereSeveralFailAllSeemTo() {
    List<String> tenants = List.of("a", "b", "c", "d", "e", "f");
    far.down.addAll(tenants);
    try (NearFarFailoverStore both = withCopies(tenants)) {
      assertThatThrownBy(() -> both.sweep(NOW, HOUR)).hasMessage("told to be down");
      assertThat(near.names().orElseThrow()).hasSize(6);
      assertThat(far.isSwept).isTrue();
    }
  }
}
