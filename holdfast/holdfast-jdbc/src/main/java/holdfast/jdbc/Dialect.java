package holdfast.jdbc;

import static java.util.Collections.nCopies;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What a library has to know about the database it talks to: what it can do, and how it spells the
 * few things that every database spells in its own way.
 *
 * <p>Libraries ask for capabilities and never for a product's name. H2, MariaDB, MySQL and
 * PostgreSQL are known. Safe for use by many threads; a library finds its dialect once and keeps
 * it.
 */
public abstract sealed class Dialect permits H2Dialect, MySqlDialect, PostgreSqlDialect {

  // Beyond some hundred rows a longer statement is no faster, only larger in caches and packets.
  private static final int MOST_ROWS_PER_INSERT = 1_000;

  private final String name;
  private final ServerVersion version;
  private final ServerVersion skipLockedSince;
  private final Placeholders placeholders;

  Dialect(String name, ServerVersion version, ServerVersion skipLockedSince, Lexis lexis) {
    this.name = name;
    this.version = version;
    this.skipLockedSince = skipLockedSince;
    this.placeholders = new Placeholders(lexis);
  }

  /**
   * The dialect of the database at the other end of a connection, found from its metadata.
   *
   * @throws IllegalArgumentException if the database is none of the supported ones
   * @throws SQLException if the metadata cannot be read
   */
  public static Dialect of(Connection connection) throws SQLException {
    return KnownDialects.detect(connection.getMetaData());
  }

  /**
   * The dialect of the database behind a data source, found on a connection taken for the purpose.
   *
   * @throws IllegalArgumentException if the database is none of the supported ones
   * @throws SQLException if there is no connection or its metadata cannot be read
   */
  public static Dialect of(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      return of(connection);
    }
  }

  /**
   * The dialect of that {@linkplain #name() name}, in any case of letters, for a server that is
   * recent enough for everything the dialect can do.
   *
   * @throws IllegalArgumentException if no dialect has this name
   */
  public static Dialect named(String name) {
    return KnownDialects.named(Objects.requireNonNull(name, "dialect"));
  }

  /** The name of this dialect, and of its schema files: h2, mariadb, mysql or postgresql. */
  public final String name() {
    return name;
  }

  /** Whether a locking query can pass over the rows that other transactions have locked. */
  public final boolean supportsSkipLocked() {
    return version.isAtLeast(skipLockedSince);
  }

  /**
   * The clause that ends a locking query: it passes over locked rows where the database {@linkplain
   * #supportsSkipLocked() can}, and waits for them where it cannot.
   */
  public final String lockingClause() {
    return supportsSkipLocked() ? "FOR UPDATE SKIP LOCKED" : "FOR UPDATE";
  }

  /** Whether {@code UPDATE … RETURNING} hands back the rows it has changed. */
  public boolean supportsUpdateReturning() {
    return false;
  }

  /** Whether a statement that changes rows can stand in the {@code WITH} of another. */
  public boolean supportsChangesInWith() {
    return false;
  }

  /**
   * A placeholder that is known to be a text by itself and compares as the columns of our schema
   * files do, for where no column is near.
   */
  public String textPlaceholder() {
    return "CAST(? AS VARCHAR)";
  }

  /** An expression for how many bytes a text or JSON column has. */
  public String octets(String column) {
    return "OCTET_LENGTH(" + column + ")";
  }

  /** Whether {@code CREATE INDEX … WHERE} makes an index of some of the rows. */
  public boolean supportsPartialIndex() {
    return false;
  }

  /**
   * The words after a table in a query that have it read by an index whatever the statistics say;
   * empty where the database's own choice can be trusted.
   *
   * @throws IllegalArgumentException if the index's name is not valid
   */
  public String forcedIndex(String index) {
    Identifier.require("index name", index);
    return "";
  }

  /**
   * A condition that a number or text is one of so many, which {@link Sql#bindAll} binds. There is
   * one text for many lengths, so that the database sees a handful of statements and not one for
   * each.
   *
   * @param expression the column, or whatever else is looked at
   * @param count how many there are, 1 or more
   */
  public String among(String expression, int count) {
    return expression + " IN (" + String.join(", ", nCopies(paddedLength(count), "?")) + ")";
  }

  /** Binds what {@link #among} asks for and tells how many placeholders that took. */
  int setAll(PreparedStatement statement, int index, List<?> values) throws SQLException {
    int placeholders = paddedLength(values.size());
    for (int i = 0; i < placeholders; i++) {
      statement.setObject(index + i, values.get(Math.min(i, values.size() - 1)));
    }
    return placeholders;
  }

  /** The next power of two: lists are made longer by their last value, so there are few lengths. */
  private static int paddedLength(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be 1 or more but was " + count);
    }
    return count == 1 ? 1 : Integer.highestOneBit(count - 1) << 1;
  }

  /** The column type for what {@link Sql#bindJson} binds. */
  public String jsonType() {
    return "JSON";
  }

  /** The column type for what {@link Sql#bind(java.time.Instant)} binds: no zone, microseconds. */
  public String instantType() {
    return "TIMESTAMP(6)";
  }

  /**
   * An expression for the database's own clock, comparable with instants bound by {@link Sql}: the
   * time at which the statement began, in UTC whatever the session's zone.
   */
  public abstract String utcNow();

  /** {@link #utcNow()} plus the microseconds bound, as a long, to the one placeholder it has. */
  public abstract String utcNowPlusMicros();

  /** Whether {@link #utcNow()} stays, for a whole transaction, what it was at its beginning. */
  public boolean freezesClockInTransaction() {
    return false;
  }

  /**
   * Whether the database may have given the connection's transaction up on its own, after an error
   * that was caught, so that a commit would keep nothing and yet not fail. If so, only a look for a
   * row that the transaction has written can tell. Asks the driver at most, never the server.
   */
  public boolean mayHaveGivenUp(Connection connection) throws SQLException {
    return true;
  }

  /**
   * An INSERT of as many rows as asked for, with a placeholder for each column of each row.
   *
   * @throws IllegalArgumentException if a column's name is not a valid name, if there is none, or
   *     if there are more rows than {@link #maxRowsPerInsert} allows
   */
  public final String insert(TableName table, List<String> columns, int rows) {
    int most = maxRowsPerInsert(columns.size());
    if (rows < 1 || rows > most) {
      throw new IllegalArgumentException(
          "rows must be 1 to %d for %d columns but was %d; insert in several statements"
              .formatted(most, columns.size(), rows));
    }
    return InsertText.rows(table, columns, rows);
  }

  /**
   * How many rows of so many columns one INSERT may have: at most 1,000, and no more than the
   * database or its driver has parameters for.
   *
   * @throws IllegalArgumentException if no row of so many columns can be inserted
   */
  public final int maxRowsPerInsert(int columnsPerRow) {
    if (columnsPerRow < 1 || columnsPerRow > maxParameters()) {
      throw new IllegalArgumentException(
          "columnsPerRow must be 1 to %d but was %d".formatted(maxParameters(), columnsPerRow));
    }
    return Math.min(MOST_ROWS_PER_INSERT, maxParameters() / columnsPerRow);
  }

  /**
   * A statement that inserts a row, or gives the row of that key the new values of all other
   * columns. It has a placeholder for each column, in order. The update count differs between the
   * databases and says nothing.
   *
   * <p>The key columns must be those of a primary key or unique index, and the table should have no
   * other one: MySQL and MariaDB would take a row that is equal in the other one as well.
   *
   * @throws IllegalArgumentException if a name is not valid, or the key columns are none or not
   *     among the columns
   */
  public abstract String upsert(TableName table, List<String> columns, List<String> keyColumns);

  /** How a statement of one's own inserts a row or changes the one of its key. */
  public abstract UpsertStyle upsertStyle();

  /**
   * A statement that inserts a row unless there is one of that key, with a placeholder for each
   * column, in order. Its update count is 1 if the row was inserted and 0 if it was there. A row of
   * a transaction that is still open is waited for.
   *
   * <p>The key columns must be those of a primary key or unique index. On MySQL and MariaDB a value
   * that does not fit its column, which INSERT refuses, is cut to fit or leaves the row out, so
   * lengths and JSON must have been checked. On H2 the statement that waited for a row may fail
   * with a unique violation instead of counting 0.
   *
   * @throws IllegalArgumentException if a name is not valid, or the key columns are none or not
   *     among the columns
   */
  public abstract String insertIfAbsent(
      TableName table, List<String> columns, List<String> keyColumns);

  /** The words that begin an INSERT of no rows which leaves out columns that need a value. */
  String insertOfSomeColumns() {
    return "INSERT";
  }

  /**
   * A statement that inserts a row with 1 in its counter, or adds 1 to the counter of the row of
   * that key. It has a placeholder for each key column, in order. The row stays locked until the
   * transaction ends, and rows of other keys are not locked with it. The update count differs
   * between the databases and says nothing.
   *
   * <p>The key columns must be those of the table's primary key. On H2 the statement that waited
   * for a row to be inserted may fail with a unique violation; run again, it counts.
   *
   * @throws IllegalArgumentException if a name is not valid or there is no key column
   */
  public abstract String insertOrCountUp(TableName table, List<String> keyColumns, String counter);

  /**
   * A statement that deletes rows which nobody has locked, as many at most as bound to its one
   * placeholder, and returns columns of them, for the {@code WITH} of another. Asked for only where
   * the database {@linkplain #supportsChangesInWith() can} do that.
   */
  String deleteUnlocked(TableName table, List<String> columns) {
    throw new UnsupportedOperationException(name + " has no changes in WITH");
  }

  /**
   * A statement ready for its values.
   *
   * @throws SQLException if the database or its driver refuses the text
   */
  public final Sql sql(Connection connection, String text) throws SQLException {
    return Sql.prepare(this, text, () -> connection.prepareStatement(text));
  }

  /**
   * An INSERT ready for its values, which hands back the keys the database generates.
   *
   * @param keyColumn the column of the generated key, written in any case if its name is not quoted
   * @throws SQLException if the database or its driver refuses the text
   */
  public final Sql sqlReturningKeys(Connection connection, String text, String keyColumn)
      throws SQLException {
    String[] keyColumns = {TableColumns.inCatalogCase(connection.getMetaData(), keyColumn)};
    return Sql.prepare(this, text, () -> connection.prepareStatement(text, keyColumns));
  }

  /** The most parameters a statement can have. */
  abstract int maxParameters();

  /** How this database writes what is not code: literals, quoted names and comments. */
  final Lexis lexis() {
    return placeholders.lexis();
  }

  final Placeholders placeholders() {
    return placeholders;
  }

  /** Binds JSON text so that a column of {@link #jsonType()} holds the document, not a string. */
  void setJson(PreparedStatement statement, int index, @Nullable String json) throws SQLException {
    statement.setString(index, json);
  }

  /** How deep arrays and objects may be nested in a column of {@link #jsonType()}. */
  public int maxJsonDepth() {
    return Integer.MAX_VALUE;
  }

  /** Waits until no other node creates tables, and keeps them from it until closed. */
  abstract SchemaLock lockSchema(Connection connection) throws SQLException;

  /** How often a schema script is run before its failure is believed. */
  int schemaAttempts() {
    return 1;
  }

  @Override
  public final String toString() {
    return name + " " + version;
  }
}
