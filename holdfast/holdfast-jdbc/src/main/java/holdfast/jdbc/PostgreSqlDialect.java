package holdfast.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** PostgreSQL. Immutable, safe for use by many threads. */
final class PostgreSqlDialect extends Dialect {

  private static final ServerVersion SKIP_LOCKED_SINCE = new ServerVersion(9, 5, 0);
  private static final String UTC_NOW = "(statement_timestamp() AT TIME ZONE 'UTC')";

  /** The word holdfast in ASCII: a number no other application will think of. */
  private static final long SCHEMA_LOCK = 0x686f6c6466617374L;

  PostgreSqlDialect(ServerVersion version) {
    super("postgresql", version, SKIP_LOCKED_SINCE, Lexis.POSTGRESQL);
  }

  @Override
  public boolean supportsUpdateReturning() {
    return true;
  }

  @Override
  public boolean supportsChangesInWith() {
    return true;
  }

  @Override
  public boolean supportsPartialIndex() {
    return true;
  }

  /** One array, whatever its length. */
  @Override
  public String among(String expression, int count) {
    return expression + " = ANY (?)";
  }

  @Override
  int setAll(PreparedStatement statement, int index, List<?> values) throws SQLException {
    Object array =
        values.get(0) instanceof Long
            ? values.stream().mapToLong(Long.class::cast).toArray()
            : values.toArray(String[]::new);
    statement.setObject(index, array);
    return 1;
  }

  /**
   * The type json rather than jsonb: it keeps the text as it was written, takes every valid
   * document (jsonb refuses the character U+0000 and numbers beyond its range) and is cheaper to
   * write; what jsonb is better at, looking inside, no library does.
   */
  @Override
  public String jsonType() {
    return "json";
  }

  @Override
  public String utcNow() {
    return UTC_NOW;
  }

  @Override
  public String utcNowPlusMicros() {
    return "(" + UTC_NOW + " + ? * INTERVAL '1 microsecond')";
  }

  @Override
  public String upsert(TableName table, List<String> columns, List<String> keyColumns) {
    InsertText insert = new InsertText(table, columns, keyColumns);
    if (insert.hasKeysOnly()) {
      return insertIfAbsent(table, columns, keyColumns);
    }
    return "%s ON CONFLICT (%s) DO UPDATE SET %s"
        .formatted(
            insert,
            insert.keyList(),
            insert.forEachOther(column -> column + " = EXCLUDED." + column));
  }

  @Override
  public String insertOrCountUp(TableName table, List<String> keyColumns, String counter) {
    return "%s ON CONFLICT (%s) DO UPDATE SET %s = %s.%s + 1"
        .formatted(
            InsertText.counting(table, keyColumns, counter),
            String.join(", ", keyColumns),
            counter,
            table.name(),
            counter);
  }

  /** By their place in the table, so that it needs no index. */
  @Override
  String deleteUnlocked(TableName table, List<String> columns) {
    columns.forEach(column -> Identifier.require("column name", column));
    return "DELETE FROM %s WHERE ctid = ANY (ARRAY(SELECT ctid FROM %s LIMIT ? %s)) RETURNING %s"
        .formatted(table, table, lockingClause(), String.join(", ", columns));
  }

  @Override
  public UpsertStyle upsertStyle() {
    return UpsertStyle.ON_CONFLICT;
  }

  @Override
  public String insertIfAbsent(TableName table, List<String> columns, List<String> keyColumns) {
    InsertText insert = new InsertText(table, columns, keyColumns);
    return "%s ON CONFLICT (%s) DO NOTHING".formatted(insert, insert.keyList());
  }

  /** After any error the server only waits for the end; its driver has been told so. */
  @Override
  public boolean mayHaveGivenUp(Connection connection) throws SQLException {
    return PostgreSqlDriver.mayHaveFailed(connection);
  }

  /** The protocol counts parameters in sixteen bits. */
  @Override
  int maxParameters() {
    return 65_535;
  }

  /** Sent without a type, so that the server takes the column's, be it json or jsonb. */
  @Override
  void setJson(PreparedStatement statement, int index, @Nullable String json) throws SQLException {
    if (json == null) {
      statement.setNull(index, Types.OTHER);
    } else {
      statement.setObject(index, json, Types.OTHER);
    }
  }

  /** Its parser recurses; the usual stack of 2 MB has room for several times as many. */
  @Override
  public String octets(String column) {
    return super.octets("CAST(" + column + " AS TEXT)"); // JSON has no length of its own
  }

  @Override
  public int maxJsonDepth() {
    return 5_000;
  }

  /** The end of the transaction releases the lock. */
  @Override
  SchemaLock lockSchema(Connection connection) throws SQLException {
    try (PreparedStatement lock = connection.prepareStatement("SELECT pg_advisory_xact_lock(?)")) {
      lock.setLong(1, SCHEMA_LOCK);
      lock.execute();
    }
    return () -> {};
  }
}
