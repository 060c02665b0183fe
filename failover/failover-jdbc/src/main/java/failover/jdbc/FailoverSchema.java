package failover.jdbc;

import failover.store.FailoverStoreException;
import holdfast.jdbc.ColumnKind;
import holdfast.jdbc.Dialect;
import holdfast.jdbc.Right;
import holdfast.jdbc.SchemaScript;
import holdfast.jdbc.SqlMessages;
import holdfast.jdbc.TableCheck;
import holdfast.jdbc.TableColumns;
import holdfast.jdbc.TableException;
import holdfast.jdbc.TableName;
import holdfast.log.LibraryLogger;
import holdfast.log.LogText;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import javax.sql.DataSource;

/**
 * The tables of stored answers, from the schema files this module ships. Stateless; many nodes may
 * call it at once.
 *
 * <p>The files are in {@code failover/jdbc/schema}, each named for its database. They are plain SQL
 * that Flyway, Liquibase and the databases' own clients run as it is. Those in {@code upgrade} add
 * what tables of earlier versions lack. For tables with a prefix, {@link #script} and {@link
 * #upgradeScript} return the same SQL with those names.
 */
public final class FailoverSchema {
  private static final String FOLDER = "failover/jdbc/schema";
  private static final String UPGRADE_FOLDER = FOLDER + "/upgrade";
  private static final String CHANGED_ON = "CHANGED_ON";
  private static final System.Logger LOGGER = LibraryLogger.of("failover");

  private FailoverSchema() {}

  /** Creates what is missing of the tables under their usual names. */
  public static void createIfMissing(DataSource dataSource) {
    createIfMissing(dataSource, "");
  }

  /**
   * Creates what is missing of the tables: also the columns that those of earlier versions lack.
   *
   * @param dataSource where
   * @param prefix what their names begin with, such as {@code SHOP_} or {@code schema.SHOP_}
   * @throws IllegalArgumentException if the prefix is not valid or the database not supported
   * @throws FailoverStoreException if the database refuses
   */
  public static void createIfMissing(DataSource dataSource, String prefix) {
    Tables tables = Tables.of(prefix);
    try {
      Dialect dialect = Dialect.of(dataSource);
      if (isOfEarlierVersion(dataSource, tables.answers())) {
        upgrade(dialect, tables).createIfMissing(dataSource);
      }
      script(dialect, tables).createIfMissing(dataSource);
    } catch (SQLException e) {
      throw new FailoverStoreException(
          "failover could not create its tables: " + SqlMessages.withFix(e), e);
    }
  }

  private static boolean isOfEarlierVersion(DataSource dataSource, TableName table)
      throws SQLException {
    Collection<String> columns = TableColumns.inTurn(dataSource, table);
    return !columns.isEmpty() && columns.stream().noneMatch(CHANGED_ON::equalsIgnoreCase);
  }

  /**
   * Checks that the tables are as a store needs them.
   *
   * @param dataSource where
   * @param prefix what their names begin with
   * @throws IllegalArgumentException if the prefix is not valid or the database not supported
   * @throws FailoverStoreException if a table is missing, lacks columns or has columns of other
   *     types, if the user lacks rights on it, or if the database cannot be reached
   */
  public static void requireTables(DataSource dataSource, String prefix) {
    Tables tables = Tables.of(prefix);
    try (Connection connection = dataSource.getConnection()) {
      Dialect dialect = Dialect.of(connection);
      check(tables.answers())
          .upgrades(UPGRADE_FOLDER)
          .columns(ColumnKind.TEXT, "FAILOVER_NAME", "FAILOVER_KEY", "PAYLOAD_CLASS")
          .columns(ColumnKind.MOMENT, "AS_OF", "EXPIRE_ON", CHANGED_ON)
          .columns(ColumnKind.BYTES, "PAYLOAD")
          .columns(ColumnKind.NUMBER, "SCHEMA_VERSION")
          .columns(ColumnKind.TEXT, "CONTENT_HASH")
          .columns(ColumnKind.FLAG, "TOMBSTONE")
          .rights("TOMBSTONE", Right.SELECT, Right.INSERT, Right.UPDATE, Right.DELETE)
          .require(connection, dialect);
      check(tables.removals())
          .columns(ColumnKind.TEXT, "FAILOVER_NAME", "FAILOVER_KEY")
          .columns(ColumnKind.MOMENT, "REMOVED_ON")
          .rights("REMOVED_ON", Right.SELECT, Right.INSERT, Right.UPDATE, Right.DELETE)
          .require(connection, dialect);
      check(tables.sweep())
          .columns(ColumnKind.NUMBER, "ID")
          .columns(ColumnKind.MOMENT, "NEXT_SWEEP")
          .rights("NEXT_SWEEP", Right.SELECT, Right.UPDATE)
          .require(connection, dialect);
    } catch (SQLException e) {
      throw new FailoverStoreException(
          "failover could not use its tables: " + SqlMessages.withFix(e), e);
    }
  }

  /** The same; a database that does not answer is only logged, since it may come later. */
  static void requireUnlessDown(DataSource dataSource, String prefix) {
    try {
      requireTables(dataSource, prefix);
    } catch (FailoverStoreException e) {
      if (e.getCause() instanceof TableException) {
        throw e;
      }
      LOGGER.log(
          Level.WARNING,
          "failover could not check its tables, because the database does not answer; calls go on"
              + " without stored answers until it does error="
              + LogText.line(e));
    }
  }

  private static TableCheck check(TableName table) {
    return TableCheck.of(table, "FailoverSchema.createIfMissing", FOLDER);
  }

  /**
   * Returns the SQL that creates the tables, for a migration tool or a person to run.
   *
   * @param dialect the database, such as {@code Dialect.named("postgresql")}
   * @param prefix what their names begin with, such as {@code SHOP_} or {@code schema.SHOP_}
   * @throws IllegalArgumentException if the prefix is not valid
   */
  public static String script(Dialect dialect, String prefix) {
    return script(dialect, Tables.of(prefix)).text();
  }

  /**
   * Returns the SQL that adds what tables of earlier versions lack. Run {@link #script} after it.
   *
   * @param dialect the database
   * @param prefix what their names begin with
   * @throws IllegalArgumentException if the prefix is not valid
   */
  public static String upgradeScript(Dialect dialect, String prefix) {
    return upgrade(dialect, Tables.of(prefix)).text();
  }

  private static SchemaScript upgrade(Dialect dialect, Tables tables) {
    return SchemaScript.load(FailoverSchema.class, UPGRADE_FOLDER, dialect)
        .with(Tables.of("").answers().name(), tables.answers());
  }

  private static SchemaScript script(Dialect dialect, Tables tables) {
    Tables usual = Tables.of("");
    return SchemaScript.load(FailoverSchema.class, FOLDER, dialect)
        .with(usual.answers().name(), tables.answers())
        .with(usual.removals().name(), tables.removals())
        .with(usual.sweep().name(), tables.sweep());
  }
}
