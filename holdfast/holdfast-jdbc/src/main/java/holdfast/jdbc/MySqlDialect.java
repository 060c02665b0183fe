package holdfast.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.List;

/** MySQL, and what MariaDB has in common with it. Immutable, safe for use by many threads. */
sealed class MySqlDialect extends Dialect permits MariaDbDialect {

  private static final ServerVersion SKIP_LOCKED_SINCE = new ServerVersion(8, 0, 1);
  private static final String SCHEMA_LOCK = "holdfast.schema";
  private static final int SCHEMA_LOCK_SECONDS = 60;

  MySqlDialect(ServerVersion version) {
    this("mysql", version, SKIP_LOCKED_SINCE);
  }

  MySqlDialect(String name, ServerVersion version, ServerVersion skipLockedSince) {
    super(name, version, skipLockedSince, Lexis.MYSQL);
  }

  /** Not TIMESTAMP, which is converted between UTC and the session's zone and ends in 2038. */
  @Override
  public final String instantType() {
    return "DATETIME(6)";
  }

  @Override
  public final String utcNow() {
    return "UTC_TIMESTAMP(6)";
  }

  @Override
  public final String utcNowPlusMicros() {
    return "(UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND)";
  }

  // VALUES(column) is deprecated in MySQL 8 but works in every version of both servers.
  @Override
  public final String upsert(TableName table, List<String> columns, List<String> keyColumns) {
    InsertText insert = new InsertText(table, columns, keyColumns);
    if (insert.hasKeysOnly()) {
      return insertIfAbsent(table, columns, keyColumns);
    }
    return "%s ON DUPLICATE KEY UPDATE %s"
        .formatted(insert, insert.forEachOther(column -> column + " = VALUES(" + column + ")"));
  }

  @Override
  public final String textPlaceholder() {
    return "CAST(? AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin";
  }

  // Statistics of a table that grew in the last seconds have it scanned, row by row for each row.
  @Override
  public final String forcedIndex(String index) {
    Identifier.require("index name", index);
    return "FORCE INDEX (" + index + ")";
  }

  // An UPDATE that finds no row would lock the gap, and two that then insert wait for each other.
  @Override
  public final String insertOrCountUp(TableName table, List<String> keyColumns, String counter) {
    return "%s ON DUPLICATE KEY UPDATE %s = %s + 1"
        .formatted(InsertText.counting(table, keyColumns, counter), counter, counter);
  }

  @Override
  public final UpsertStyle upsertStyle() {
    return UpsertStyle.ON_DUPLICATE_KEY;
  }

  // ON DUPLICATE KEY UPDATE without a change would be strict about values, but drivers ask the
  // server for found instead of changed rows: it would count 1 for a row that was there.
  @Override
  public final String insertIfAbsent(
      TableName table, List<String> columns, List<String> keyColumns) {
    return new InsertText(table, columns, keyColumns).toString("INSERT IGNORE INTO");
  }

  // Without IGNORE the statement fails, though it concerns no row, and drivers log a warning.
  @Override
  final String insertOfSomeColumns() {
    return "INSERT IGNORE";
  }

  /** The protocol counts parameters in sixteen bits. */
  @Override
  final int maxParameters() {
    return 65_535;
  }

  @Override
  final SchemaLock lockSchema(Connection connection) throws SQLException {
    try (PreparedStatement lock = connection.prepareStatement("SELECT GET_LOCK(?, ?)")) {
      lock.setString(1, SCHEMA_LOCK);
      lock.setInt(2, SCHEMA_LOCK_SECONDS);
      try (ResultSet result = lock.executeQuery()) {
        if (!result.next() || result.getInt(1) != 1) {
          throw new SQLTimeoutException(
              "lock '%s' must be free to create tables but was held by another connection for %d s;"
                      .formatted(SCHEMA_LOCK, SCHEMA_LOCK_SECONDS)
                  + " try again when that one is done");
        }
      }
    }
    return () -> unlockSchema(connection);
  }

  private static void unlockSchema(Connection connection) throws SQLException {
    try (PreparedStatement unlock = connection.prepareStatement("SELECT RELEASE_LOCK(?)")) {
      unlock.setString(1, SCHEMA_LOCK);
      unlock.execute();
    }
  }

  @Override
  public int maxJsonDepth() {
    return 100;
  }
}
