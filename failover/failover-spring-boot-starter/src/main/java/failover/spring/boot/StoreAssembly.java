package failover.spring.boot;

import failover.caffeine.CaffeineFailoverStore;
import failover.store.AsyncFailoverStore;
import failover.store.FailoverStore;
import failover.store.FailoverStore.StoreListener;
import failover.store.InMemoryFailoverStore;
import failover.store.NearFarFailoverStore;
import failover.store.WriteSkippingFailoverStore;
import failover.tenant.TenantStoreFactory;
import holdfast.spring.boot.StartException;
import holdfast.time.TimeSource;
import java.util.Arrays;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Puts the store together, as the settings say. Stateless. */
final class StoreAssembly {
  private static final String CAFFEINE = "failover.caffeine.CaffeineFailoverStore";

  private final StoreProperties properties;
  private final StoreEncryption encryption;
  private final StoreTenants tenants;

  StoreAssembly(StoreProperties properties, StoreEncryption encryption, StoreTenants tenants) {
    this.properties = properties;
    this.encryption = encryption;
    this.tenants = tenants;
  }

  /**
   * The store.
   *
   * @param dataSource gives the one data source, or null if there is none or more
   * @param found gives the names of all data sources
   * @throws StartException if it cannot be put together
   */
  FailoverStore store(Supplier<@Nullable DataSource> dataSource, Supplier<String[]> found) {
    TenantStoreFactory own = tenants.factory();
    return switch (properties.getType()) {
      case INMEMORY -> encryptedIfAskedFor(inMemory());
      case CAFFEINE -> encryptedIfAskedFor(caffeine());
      case JDBC -> before(own == null ? tables(dataSource.get(), found) : own);
      case CUSTOM -> {
        if (own == null) {
          throw new StartException(
              "failover.store.type is custom but there is no FailoverStore bean",
              "define one, or set failover.store.type to inmemory, caffeine or jdbc");
        }
        yield before(own);
      }
    };
  }

  /** What does not leave the process needs no encryption, and was written by no other one. */
  private FailoverStore encryptedIfAskedFor(FailoverStore memory) {
    return encryption.isOn() ? encryption.before(memory) : memory;
  }

  private FailoverStore inMemory() {
    int most = properties.getInmemory().getMaxEntries();
    return new InMemoryFailoverStore(
        most <= 0 ? Integer.MAX_VALUE : most,
        Settings.bytes(properties.getInmemory().getMaxBytes()));
  }

  private static boolean hasCaffeine() {
    return ClassUtils.isPresent(CAFFEINE, null)
        && ClassUtils.isPresent("com.github.benmanes.caffeine.cache.Caffeine", null);
  }

  private FailoverStore caffeine() {
    if (!hasCaffeine()) {
      throw new StartException(
          "failover.store.type is caffeine but failover-caffeine is not there",
          "add the dependency io.holdfast:failover-caffeine, or set failover.store.type to"
              + " another");
    }
    long most = properties.getCaffeine().getMaxSize();
    return new CaffeineFailoverStore(
        most <= 0 ? Long.MAX_VALUE : most, Settings.bytes(properties.getCaffeine().getMaxBytes()));
  }

  private TenantStoreFactory tables(@Nullable DataSource dataSource, Supplier<String[]> found) {
    if (dataSource == null) {
      throw new StartException(
          "failover.store.type is jdbc but there is not one DataSource, or a primary one; found "
              + Arrays.toString(found.get()),
          "set spring.datasource.url, or mark a DataSource bean as @Primary, or set"
              + " failover.store.type to another");
    }
    return new TableStores(
        dataSource, properties.getJdbc(), tenants.prefixes(), tenants.needSharedStore());
  }

  /** What stands before stores outside of this process, one for all tenants. */
  private FailoverStore before(TenantStoreFactory stores) {
    FailoverStore far = new WriteSkippingFailoverStore(encryption.before(tenants.store(stores)));
    if (properties.isAsync()) {
      far =
          new AsyncFailoverStore(
              far,
              Settings.queueCapacity(properties.getAsyncExecutor()),
              Settings.bytes(properties.getAsyncExecutor().getMaxBytes()),
              properties.getAsyncExecutor().getRejectionPolicy(),
              StoreListener.NONE,
              TimeSource.system());
    }
    if (!properties.getJdbc().isNear()) {
      return far;
    }
    return new NearFarFailoverStore(
        hasCaffeine() ? caffeine() : inMemory(),
        far,
        properties.getJdbc().getCheckInterval(),
        TimeSource.system());
  }
}
