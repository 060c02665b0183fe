package failover.spring.boot;

import failover.caffeine.CaffeineFailoverStore;
import failover.jdbc.FailoverSchema;
import failover.jdbc.JdbcFailoverStore;
import failover.store.AsyncFailoverStore;
import failover.store.FailoverStore;
import failover.store.FailoverStore.StoreListener;
import failover.store.FailoverStoreException;
import failover.store.InMemoryFailoverStore;
import failover.store.NearFarFailoverStore;
import failover.store.WriteSkippingFailoverStore;
import holdfast.log.LibraryLogger;
import holdfast.log.LogText;
import holdfast.spring.boot.SchemaCreation;
import holdfast.spring.boot.StartException;
import holdfast.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.util.ClassUtils;

/** Puts the store together, as the settings say. Stateless. */
final class StoreAssembly {
  private static final System.Logger LOGGER = LibraryLogger.of("failover");
  private static final String CAFFEINE = "failover.caffeine.CaffeineFailoverStore";

  private final StoreProperties properties;
  private final StoreEncryption encryption;

  StoreAssembly(StoreProperties properties, StoreEncryption encryption) {
    this.properties = properties;
    this.encryption = encryption;
  }

  /**
   * The store.
   *
   * @param dataSource gives the one data source, or null if there is none or more
   * @param found gives the names of all data sources
   * @throws StartException if it cannot be put together
   */
  FailoverStore store(Supplier<@Nullable DataSource> dataSource, Supplier<String[]> found) {
    return switch (properties.getType()) {
      case INMEMORY -> encryptedIfAskedFor(inMemory());
      case CAFFEINE -> encryptedIfAskedFor(caffeine());
      case JDBC -> jdbc(dataSource.get(), found);
      case CUSTOM ->
          throw new StartException(
              "failover.store.type is custom but there is no FailoverStore bean",
              "define one, or set failover.store.type to inmemory, caffeine or jdbc");
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

  private FailoverStore jdbc(@Nullable DataSource dataSource, Supplier<String[]> found) {
    if (dataSource == null) {
      throw new StartException(
          "failover.store.type is jdbc but there is not one DataSource, or a primary one; found "
              + Arrays.toString(found.get()),
          "set spring.datasource.url, or mark a DataSource bean as @Primary, or set"
              + " failover.store.type to another");
    }
    JdbcProperties jdbc = properties.getJdbc();
    FailoverStore table = table(dataSource, jdbc);
    FailoverStore far = new WriteSkippingFailoverStore(encryption.before(table));
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
    if (!jdbc.isNear()) {
      return far;
    }
    return new NearFarFailoverStore(
        hasCaffeine() ? caffeine() : inMemory(), far, jdbc.getCheckInterval(), TimeSource.system());
  }

  private static FailoverStore table(DataSource dataSource, JdbcProperties jdbc) {
    JdbcFailoverStore table =
        new JdbcFailoverStore(dataSource, jdbc.getTablePrefix())
            .withCounting(jdbc.isLiveEntriesGaugeEnabled())
            .withoutStartCheck(); // it is done here
    if (!isReachable(dataSource)) { // it may come later; calls go on meanwhile
      return jdbc.getInitializeSchema() == DatabaseInitializationMode.ALWAYS
          ? table.withTableCreation(
              () -> FailoverSchema.createIfMissing(dataSource, jdbc.getTablePrefix()))
          : table;
    }
    try {
      if (isToBeCreated(jdbc.getInitializeSchema(), dataSource)) {
        FailoverSchema.createIfMissing(dataSource, jdbc.getTablePrefix());
      }
      FailoverSchema.requireTables(dataSource, jdbc.getTablePrefix());
      return table;
    } catch (IllegalArgumentException | FailoverStoreException e) {
      throw new StartException(
          String.valueOf(e.getMessage()),
          SchemaCreation.adviceFor(
              e,
              "the table %sFAILOVER_STORE must be there: set failover.store.jdbc.initialize-schema=always"
                      .formatted(jdbc.getTablePrefix())
                  + " (it is "
                  + jdbc.getInitializeSchema().name().toLowerCase(Locale.ROOT)
                  + ", and embedded means databases in memory only), or run"
                  + " failover/jdbc/schema/<database>.sql from failover-jdbc with your migrations,"
                  + " or set failover.store.type to another"),
          e);
    }
  }

  /** Which databases are embedded only Boot's module for databases knows. */
  private static boolean isToBeCreated(DatabaseInitializationMode mode, DataSource dataSource) {
    boolean canTell =
        ClassUtils.isPresent("org.springframework.boot.jdbc.EmbeddedDatabaseConnection", null);
    return (canTell || mode != DatabaseInitializationMode.EMBEDDED)
        && SchemaCreation.isWanted(mode, dataSource);
  }

  private static boolean isReachable(DataSource dataSource) {
    try (Connection connection = dataSource.getConnection()) {
      return !connection.isClosed();
    } catch (SQLException e) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "failover cannot reach its database, answers are kept in memory until it can cause="
              + LogText.line(e)
              + "; check spring.datasource.url, the user and the password, and that the server is"
              + " up and accepts connections");
      return false;
    }
  }
}
