package outbox.jdbc;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.jdbc.Dialect;
import holdfast.jdbc.LedgerCounters;
import holdfast.jdbc.NodeTables;
import holdfast.jdbc.SchemaScript;
import holdfast.jdbc.SqlMessages;
import holdfast.jdbc.TableColumns;
import holdfast.jdbc.TableName;
import holdfast.log.LibraryLogger;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;
import outbox.OutboxException;

/**
 * The tables of the outbox and the inbox, from the schema files this module ships. Stateless; many
 * nodes may call it at once.
 *
 * <p>The files are in {@code outbox/jdbc/schema}, with the upgrades in {@code upgrade} and the
 * inbox in {@code inbox}, each named for its database. They are plain SQL that Flyway, Liquibase
 * and the databases' own clients run as it is. For tables of other names, {@link #script}, {@link
 * #upgradeScript} and {@link #inboxScript} return the same SQL with those names.
 */
public final class OutboxSchema {
  private static final String FOLDER = "outbox/jdbc/schema";
  private static final String UPGRADE_FOLDER = FOLDER + "/upgrade";
  private static final String INBOX_FOLDER = FOLDER + "/inbox";
  private static final System.Logger LOG = LibraryLogger.of("outbox");

  private OutboxSchema() {}

  /**
   * Creates what is missing of the tables under their usual names.
   *
   * @param dataSource where
   */
  public static void createIfMissing(DataSource dataSource) {
    createIfMissing(dataSource, JdbcOutboxRepository.DEFAULT_TABLE);
  }

  /**
   * Creates what is missing of the tables. A plain table, with the thirteen columns of the
   * specification, is left as it is, with a warning: it serves one node; see {@link #upgrade}.
   *
   * @param dataSource where
   * @param table {@code table} or {@code schema.table}
   * @throws IllegalArgumentException if the name is not valid or the database not supported
   * @throws OutboxException if the database refuses
   */
  public static void createIfMissing(DataSource dataSource, String table) {
    TableName name = OutboxTable.named(table);
    try {
      if (isPlain(dataSource, name)) {
        LOG.log(
            WARNING,
            "outbox table {0} has only the plain columns and serves one node, without dead event"
                + " redeliver, purge and ledger; run OutboxSchema.upgrade to change that",
            name);
      } else {
        createRest(dataSource, name);
      }
    } catch (SQLException e) {
      throw new OutboxException("outbox could not create its tables: " + SqlMessages.withFix(e), e);
    }
  }

  /**
   * Makes the full table of a plain one under its usual name; see {@link #upgrade(DataSource,
   * String)}.
   *
   * @param dataSource where
   */
  public static void upgrade(DataSource dataSource) {
    upgrade(dataSource, JdbcOutboxRepository.DEFAULT_TABLE);
  }

  /**
   * Makes the full table of a plain one and adds the tables beside it; what is there already stays
   * as it is. The rows stay too, and those still to be delivered are delivered. Nodes that run
   * notice the new columns when they are started anew.
   *
   * @param dataSource where
   * @param table {@code table} or {@code schema.table}
   * @throws IllegalArgumentException if the name is not valid or the database not supported
   * @throws OutboxException if the table does not exist or the database refuses
   */
  public static void upgrade(DataSource dataSource, String table) {
    TableName name = OutboxTable.named(table);
    try {
      requireTable(dataSource, name);
      if (isPlain(dataSource, name)) {
        upgradePlain(dataSource, name);
      }
      createRest(dataSource, name);
    } catch (SQLException e) {
      throw new OutboxException(
          "outbox could not upgrade table " + name + ": " + e.getMessage(), e);
    }
  }

  /**
   * Creates the table of an {@link Inbox} under its usual name unless it is there.
   *
   * @param dataSource where the consumer's business data is
   */
  public static void createInboxIfMissing(DataSource dataSource) {
    createInboxIfMissing(dataSource, Inbox.DEFAULT_TABLE);
  }

  /**
   * Creates the table of an {@link Inbox} unless it is there.
   *
   * @param dataSource where the consumer's business data is
   * @param table {@code table} or {@code schema.table}
   * @throws IllegalArgumentException if the name is not valid or the database not supported
   * @throws OutboxException if the database refuses
   */
  public static void createInboxIfMissing(DataSource dataSource, String table) {
    TableName name = Inbox.named(table);
    try {
      inbox(Dialect.of(dataSource), name).createIfMissing(dataSource);
    } catch (SQLException e) {
      throw new OutboxException("outbox could not create its inbox: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the SQL that creates the outbox's tables, for a migration tool or a person to run.
   *
   * @param dialect the database, such as {@code Dialect.named("postgresql")}
   * @param table {@code table} or {@code schema.table}
   * @throws IllegalArgumentException if the name is not valid
   */
  public static String script(Dialect dialect, String table) {
    return tables(dialect, OutboxTable.named(table)).text();
  }

  /**
   * Returns the SQL that adds the missing columns to a plain table. Run {@link #script} after it.
   *
   * @param dialect the database
   * @param table {@code table} or {@code schema.table}
   * @throws IllegalArgumentException if the name is not valid
   */
  public static String upgradeScript(Dialect dialect, String table) {
    return upgrade(dialect, OutboxTable.named(table)).text();
  }

  /**
   * Returns the SQL that creates the table of an {@link Inbox}.
   *
   * @param dialect the database
   * @param table {@code table} or {@code schema.table}
   * @throws IllegalArgumentException if the name is not valid
   */
  public static String inboxScript(Dialect dialect, String table) {
    return inbox(dialect, Inbox.named(table)).text();
  }

  private static SchemaScript tables(Dialect dialect, TableName name) {
    TableName usual = TableName.of(JdbcOutboxRepository.DEFAULT_TABLE);
    return SchemaScript.load(OutboxSchema.class, FOLDER, dialect)
        .with(usual.name(), name)
        .with(OutboxTable.orders(usual).name(), OutboxTable.orders(name))
        .with(LedgerCounters.counts(usual).name(), LedgerCounters.counts(name))
        .with(NodeTables.nodes(usual).name(), NodeTables.nodes(name))
        .with(NodeTables.pauses(usual).name(), NodeTables.pauses(name));
  }

  private static SchemaScript upgrade(Dialect dialect, TableName name) {
    return SchemaScript.load(OutboxSchema.class, UPGRADE_FOLDER, dialect)
        .with(JdbcOutboxRepository.DEFAULT_TABLE, name);
  }

  private static SchemaScript inbox(Dialect dialect, TableName name) {
    return SchemaScript.load(OutboxSchema.class, INBOX_FOLDER, dialect)
        .with(Inbox.DEFAULT_TABLE, name);
  }

  private static void createRest(DataSource dataSource, TableName name) throws SQLException {
    tables(Dialect.of(dataSource), name).createIfMissing(dataSource);
  }

  private static void upgradePlain(DataSource dataSource, TableName name) throws SQLException {
    try {
      upgrade(Dialect.of(dataSource), name).createIfMissing(dataSource);
    } catch (SQLException e) {
      // MySQL cannot add a column unless it is there: another node may have just done it.
      if (isPlain(dataSource, name)) {
        throw e;
      }
    }
  }

  private static void requireTable(DataSource dataSource, TableName name) throws SQLException {
    if (TableColumns.inTurn(dataSource, name).isEmpty()) {
      throw new SQLException("it must exist but was not found; create it with createIfMissing");
    }
  }

  private static boolean isPlain(DataSource dataSource, TableName name) throws SQLException {
    Set<String> columns = TableColumns.inTurn(dataSource, name);
    return !columns.isEmpty() && !OutboxTable.isFull(name, columns);
  }
}
