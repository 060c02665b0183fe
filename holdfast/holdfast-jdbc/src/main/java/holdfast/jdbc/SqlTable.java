package holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The tables of a library on one database, as its statements name them: a text has words in braces,
 * which are filled in once. Safe for use by many threads.
 *
 * <p>Every library has {@code {nowPlus}}, {@code {now}}, {@code {lock}} and {@code {byId}}; a list
 * of ids goes with the latter, because where many rows are in it, MariaDB would read and lock the
 * whole table. Each library adds the names of its tables and its conditions.
 */
public class SqlTable {
  private static final String NOW = "SELECT {nowPlus}";

  private final Dialect dialect;
  private final DatabaseClock clock;
  private final String idColumn;
  private final Map<String, String> words;
  private final ConcurrentMap<String, String> filled = new ConcurrentHashMap<>();

  /**
   * Creates the tables of a library.
   *
   * @param dialect the database
   * @param clock its clock
   * @param idColumn the column of ids in statements with {@code {among}}
   * @param words the library's words, without braces
   */
  protected SqlTable(
      Dialect dialect, DatabaseClock clock, String idColumn, Map<String, String> words) {
    this.dialect = dialect;
    this.clock = clock;
    this.idColumn = idColumn;
    this.words = Map.copyOf(words);
  }

  /** Returns the database. */
  public final Dialect dialect() {
    return dialect;
  }

  /** Returns the database's clock. */
  public final DatabaseClock clock() {
    return clock;
  }

  /** Returns a statement for these tables; its text is filled in once. */
  public final Sql sql(Connection conn, String text) throws SQLException {
    return dialect.sql(conn, fill(text));
  }

  /** Returns a statement with {@code {among}} for so many ids. */
  public final Sql sqlAmong(Connection conn, String text, int ids) throws SQLException {
    return dialect.sql(conn, fill(text).replace("{among}", dialect.among(idColumn, ids)));
  }

  /** Returns the text with all words filled in. */
  public final String fill(String text) {
    return filled.computeIfAbsent(text, this::filledIn);
  }

  private String filledIn(String text) {
    String result = text;
    for (Map.Entry<String, String> word : words.entrySet()) {
      result = result.replace("{" + word.getKey() + "}", word.getValue());
    }
    return result
        .replace("{nowPlus}", dialect.utcNowPlusMicros())
        .replace("{now}", dialect.utcNow())
        .replace("{byId}", dialect.forcedIndex("PRIMARY"))
        .replace("{lock}", dialect.lockingClause());
  }

  /** Asks the database for its time. */
  public final Instant now(Connection conn) throws SQLException {
    try (Sql sql = sql(conn, NOW)) {
      return sql.bind(clock.now())
          .first(Row::instant)
          .orElseThrow(() -> new SQLException("the database does not tell its time"));
    }
  }
}
