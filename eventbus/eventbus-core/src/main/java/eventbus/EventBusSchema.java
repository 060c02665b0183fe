package eventbus;

import eventbus.table.TableNames;
import holdfast.jdbc.Dialect;
import holdfast.jdbc.LedgerCounters;
import holdfast.jdbc.NodeTables;
import holdfast.jdbc.SchemaScript;
import holdfast.jdbc.SqlMessages;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The tables of the bus, from the schema files this module ships. Stateless; many nodes may call it
 * at once.
 *
 * <p>The files are in {@code eventbus/schema}, each named for its database. They are plain SQL that
 * Flyway, Liquibase and the databases' own clients run as it is. For tables of other names, {@link
 * #script} returns the same SQL with those names.
 */
public final class EventBusSchema {
  /** The table of what is to be worked on, unless configured: {@value}. */
  public static final String DEFAULT_EVENTS_TABLE = "events";

  /** The table of what is closed, unless configured: {@value}. */
  public static final String DEFAULT_LOG_TABLE = "event_log";

  private static final String FOLDER = "eventbus/schema";

  private EventBusSchema() {}

  /**
   * Creates what is missing of the tables under their usual names.
   *
   * @param dataSource where
   * @throws EventBusException if the database refuses
   */
  public static void createIfMissing(DataSource dataSource) {
    createIfMissing(dataSource, TableNames.DEFAULT);
  }

  /**
   * Creates what is missing of the tables.
   *
   * @param dataSource where
   * @param events the table of what is to be worked on, {@code table} or {@code schema.table}
   * @param log the table of what is closed
   * @throws IllegalArgumentException if a name is not valid or the database not supported
   * @throws EventBusException if the database refuses
   */
  public static void createIfMissing(DataSource dataSource, String events, String log) {
    createIfMissing(dataSource, names(events, log));
  }

  /**
   * Returns the SQL that creates the tables, for a migration tool or a person to run.
   *
   * @param dialect the database, such as {@code Dialect.named("postgresql")}
   * @param events the table of what is to be worked on, {@code table} or {@code schema.table}
   * @param log the table of what is closed
   * @throws IllegalArgumentException if a name is not valid
   */
  public static String script(Dialect dialect, String events, String log) {
    return tables(dialect, names(events, log)).text();
  }

  private static TableNames names(String events, String log) {
    return new TableNames(TableNames.named(events), TableNames.named(log));
  }

  private static SchemaScript tables(Dialect dialect, TableNames names) {
    return SchemaScript.load(EventBusSchema.class, FOLDER, dialect)
        .with(TableNames.DEFAULT.events().name(), names.events())
        .with(TableNames.DEFAULT.log().name(), names.log())
        .with(
            LedgerCounters.counts(TableNames.DEFAULT.events()).name(),
            LedgerCounters.counts(names.events()))
        .with(
            NodeTables.nodes(TableNames.DEFAULT.events()).name(), NodeTables.nodes(names.events()))
        .with(
            NodeTables.pauses(TableNames.DEFAULT.events()).name(),
            NodeTables.pauses(names.events()));
  }

  static void createIfMissing(DataSource dataSource, TableNames names) {
    try {
      tables(Dialect.of(dataSource), names).createIfMissing(dataSource);
    } catch (SQLException e) {
      throw new EventBusException(
          "event bus could not create its tables: " + SqlMessages.withFix(e), e);
    }
  }
}
