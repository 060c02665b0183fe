package failover.spring.boot;

import failover.jdbc.FailoverSchema;
import failover.jdbc.JdbcFailoverStore;
import failover.store.FailoverStore;
import failover.store.FailoverStoreException;
import failover.tenant.TenantStoreFactory;
import holdfast.log.LibraryLogger;
import holdfast.log.LogText;
import holdfast.spring.boot.SchemaCreation;
import holdfast.spring.boot.StartException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.util.ClassUtils;

/** The tables of answers, one for all or some for tenants. Safe for use by many threads. */
final class TableStores implements TenantStoreFactory {
  private static final System.Logger LOGGER = LibraryLogger.of("failover");

  private final DataSource dataSource;
  private final JdbcProperties jdbc;
  private final TenantPrefixes prefixes;
  private final boolean isThere;

  /**
   * Creates and checks the tables, if the database is there.
   *
   * @param dataSource where they are
   * @param jdbc the settings of tables
   * @param prefixes what their names begin with
   * @param isShared whether there may be answers of tenants without a table of their own
   * @throws StartException if one is not as it must be
   */
  TableStores(
      DataSource dataSource, JdbcProperties jdbc, TenantPrefixes prefixes, boolean isShared) {
    this.dataSource = dataSource;
    this.jdbc = jdbc;
    this.prefixes = prefixes;
    this.isThere = isReachable(dataSource);
    if (isThere) {
      boolean areCreated = isToBeCreated(jdbc.getInitializeSchema(), dataSource);
      Set<String> owners = new LinkedHashSet<>(prefixes.own().keySet());
      if (isShared) {
        owners.add(SINGLE);
      }
      owners.forEach(owner -> prepare(owner, areCreated));
    }
  }

  private void prepare(String owner, boolean isCreated) {
    String prefix = prefixes.of(owner);
    try {
      if (isCreated) {
        FailoverSchema.createIfMissing(dataSource, prefix);
      }
      FailoverSchema.requireTables(dataSource, prefix);
    } catch (IllegalArgumentException | FailoverStoreException e) {
      throw new StartException(
          e.getMessage() + TenantPrefixes.label(owner),
          SchemaCreation.adviceFor(
              e,
              "the table %sFAILOVER_STORE%s must be there: set failover.store.jdbc.initialize-schema=always"
                      .formatted(prefix, TenantPrefixes.label(owner))
                  + " (it is "
                  + jdbc.getInitializeSchema().name().toLowerCase(Locale.ROOT)
                  + ", and embedded means databases in memory only), or run"
                  + " failover/jdbc/schema/<database>.sql from failover-jdbc with your migrations,"
                  + " or set failover.store.type to another"),
          e);
    }
  }

  @Override
  public FailoverStore create(String tenant) {
    String prefix = prefixes.of(tenant);
    JdbcFailoverStore table =
        new JdbcFailoverStore(dataSource, prefix)
            .withCounting(jdbc.isLiveEntriesGaugeEnabled())
            .withoutStartCheck(); // it is done here
    boolean isLate = !isThere && jdbc.getInitializeSchema() == DatabaseInitializationMode.ALWAYS;
    return isLate
        ? table.withTableCreation(() -> FailoverSchema.createIfMissing(dataSource, prefix))
        : table;
  }

  @Override
  public boolean isShared(String tenant) {
    return !prefixes.own().containsKey(tenant);
  }

  /** Which databases are embedded only Boot's module for databases knows. */
  private static boolean isToBeCreated(DatabaseInitializationMode mode, DataSource dataSource) {
    boolean canTell =
        ClassUtils.isPresent("org.springframework.boot.jdbc.EmbeddedDatabaseConnection", null);
    return (canTell || mode != DatabaseInitializationMode.EMBEDDED)
        && SchemaCreation.isWanted(mode, dataSource);
  }

  /** One that is not may come later; calls go on meanwhile. */
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
