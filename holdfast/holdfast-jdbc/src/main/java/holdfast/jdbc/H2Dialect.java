package holdfast.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** H2 in regular mode. Immutable, safe for use by many threads. */
final class H2Dialect extends Dialect {

  private static final ServerVersion SKIP_LOCKED_SINCE = new ServerVersion(2, 2, 220);

  // Casting a timestamp with zone to one without would apply the session's zone; intervals do not.
  private static final String UTC_NOW =
      "(TIMESTAMP '1970-01-01 00:00:00'"
          + " + (CURRENT_TIMESTAMP(6) - TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00'))";

  // H2 has no lock to take by name, and its CREATE … IF NOT EXISTS races. An embedded database
  // lives
  // in one JVM, where this lock is enough; for others there are the repeated attempts.
  private static final ReentrantLock SCHEMA = new ReentrantLock();

  private static final int SCHEMA_ATTEMPTS = 5;

  H2Dialect(ServerVersion version) {
    super("h2", version, SKIP_LOCKED_SINCE, Lexis.H2);
  }

  @Override
  public String utcNow() {
    return UTC_NOW;
  }

  @Override
  public String utcNowPlusMicros() {
    return "DATEADD(MICROSECOND, ?, " + UTC_NOW + ")";
  }

  @Override
  public boolean freezesClockInTransaction() {
    return true;
  }

  @Override
  public String upsert(TableName table, List<String> columns, List<String> keyColumns) {
    InsertText insert = new InsertText(table, columns, keyColumns);
    return "MERGE INTO %s (%s) KEY (%s) VALUES (%s)"
        .formatted(table, insert.columnList(), insert.keyList(), insert.placeholders());
  }

  @Override
  public UpsertStyle upsertStyle() {
    return UpsertStyle.MERGE_MATCHED;
  }

  // The values stand as numbered parameters in the INSERT itself: in a VALUES source they would
  // have
  // no type, and H2 would take bytes for text on their way into JSON and binary columns.
  @Override
  public String insertIfAbsent(TableName table, List<String> columns, List<String> keyColumns) {
    InsertText insert = new InsertText(table, columns, keyColumns);
    return "MERGE INTO %s AS target USING (SELECT 1) AS source ON (%s) "
            .formatted(table, insert.forEachKey((key, n) -> "target." + key + " = ?" + n, " AND "))
        + "WHEN NOT MATCHED THEN INSERT (%s) VALUES (%s)"
            .formatted(insert.columnList(), insert.numberedPlaceholders());
  }

  @Override
  public String insertOrCountUp(TableName table, List<String> keyColumns, String counter) {
    Identifier.require("column name", counter);
    InsertText key = new InsertText(table, keyColumns, keyColumns);
    return "MERGE INTO %s AS target USING (SELECT 1) AS source ON (%s) "
            .formatted(table, key.forEachKey((name, n) -> "target." + name + " = ?" + n, " AND "))
        + "WHEN MATCHED THEN UPDATE SET %s = target.%s + 1 ".formatted(counter, counter)
        + "WHEN NOT MATCHED THEN INSERT (%s, %s) VALUES (%s, 1)"
            .formatted(key.columnList(), counter, key.numberedPlaceholders());
  }

  /** H2 refuses parameter numbers above this. */
  @Override
  int maxParameters() {
    return 100_000;
  }

  /** A string would become a JSON string; bytes are read as the JSON document they spell. */
  @Override
  void setJson(PreparedStatement statement, int index, @Nullable String json) throws SQLException {
    if (json == null) {
      statement.setNull(index, Types.VARBINARY);
    } else {
      statement.setBytes(index, json.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Override
  SchemaLock lockSchema(Connection connection) {
    SCHEMA.lock();
    return SCHEMA::unlock;
  }

  @Override
  int schemaAttempts() {
    return SCHEMA_ATTEMPTS;
  }
}
