package holdfast.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A statement whose values are bound strictly in the order of its placeholders.
 *
 * <p>Each placeholder gets exactly one value; fewer or more is an {@link IllegalStateException} and
 * never reaches the database. After it has run, the statement can be bound and run again. Errors of
 * preparing and running pass through as they are, with the text of the statement, but no values,
 * added as a suppressed exception.
 *
 * <p>Not safe for use by several threads.
 */
public final class Sql implements AutoCloseable {
  static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
  static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

  private final Dialect dialect;
  private final String text;
  private final PreparedStatement statement;
  private final int placeholders;
  private int bound;
  private int batched;

  private Sql(Dialect dialect, String text, PreparedStatement statement, int placeholders) {
    this.dialect = dialect;
    this.text = text.strip();
    this.statement = statement;
    this.placeholders = placeholders;
  }

  static Sql prepare(Dialect dialect, String text, Access<PreparedStatement> preparing)
      throws SQLException {
    int placeholders = dialect.placeholders().in(text);
    return new Sql(dialect, text, noted(text, preparing), placeholders);
  }

  /** Binds the next value. */
  public Sql bind(@Nullable String value) throws SQLException {
    statement.setString(next(), value);
    return this;
  }

  /** Binds the next value. */
  public Sql bind(int value) throws SQLException {
    statement.setInt(next(), value);
    return this;
  }

  /** Binds the next value. */
  public Sql bind(long value) throws SQLException {
    statement.setLong(next(), value);
    return this;
  }

  /** Binds the next value. */
  public Sql bind(boolean value) throws SQLException {
    statement.setBoolean(next(), value);
    return this;
  }

  /** Binds the next value, or NULL. */
  public Sql bind(@Nullable Integer value) throws SQLException {
    statement.setObject(next(), value, Types.INTEGER);
    return this;
  }

  /** Binds the next value, or NULL. */
  public Sql bind(@Nullable Long value) throws SQLException {
    statement.setObject(next(), value, Types.BIGINT);
    return this;
  }

  /** Binds the next value, or NULL. */
  public Sql bind(@Nullable Boolean value) throws SQLException {
    statement.setObject(next(), value, Types.BOOLEAN);
    return this;
  }

  /** Binds the next value. */
  public Sql bind(byte @Nullable [] value) throws SQLException {
    statement.setBytes(next(), value);
    return this;
  }

  /**
   * Binds the next value in UTC, cut to microseconds, for a column of {@link
   * Dialect#instantType()}. Neither the zone of this JVM nor that of the session has a say.
   *
   * @throws IllegalArgumentException if the instant lies outside of the years 1 to 9999, which is
   *     what all databases can keep
   */
  public Sql bind(@Nullable Instant value) throws SQLException {
    LocalDateTime utc = value == null ? null : utcMicros(value);
    if (utc == null) {
      statement.setNull(next(), Types.TIMESTAMP);
    } else {
      statement.setObject(next(), utc);
    }
    return this;
  }

  /**
   * Binds the next value as the JSON document that the text spells, for a column of {@link
   * Dialect#jsonType()}. What is read back is equal JSON, and the same text where the database
   * keeps it.
   */
  public Sql bindJson(@Nullable String json) throws SQLException {
    dialect.setJson(statement, next(), json);
    return this;
  }

  /**
   * Binds the values of a condition made by {@link Dialect#among} for as many.
   *
   * @param values 1 or more, all of them numbers or all of them texts
   */
  public Sql bindAll(List<? extends Comparable<?>> values) throws SQLException {
    int taken = dialect.setAll(statement, bound + 1, values);
    if (bound + taken > placeholders) {
      throw new IllegalStateException(wrongCount(bound + taken));
    }
    bound += taken;
    return this;
  }

  /** Runs the statement and tells how many rows it touched. */
  public int update() throws SQLException {
    requireReady();
    return noted(text, statement::executeUpdate);
  }

  /** Runs an INSERT prepared by {@link Dialect#sqlReturningKeys} and hands back the key. */
  public long updateForKey() throws SQLException {
    update();
    List<Long> keys = generatedKeys();
    if (keys.size() != 1) {
      throw new IllegalStateException(
          "statement must generate 1 key but generated %d; prepare it with sqlReturningKeys(...): %s"
              .formatted(keys.size(), text));
    }
    return keys.get(0);
  }

  /** Puts the values bound since the last row into the batch, as one more row. */
  public Sql addBatch() throws SQLException {
    requireAllBound();
    statement.addBatch();
    batched++;
    return this;
  }

  /** Runs the batch, row by row in order, and tells what each row touched; empties the batch. */
  public BatchCounts updateBatch() throws SQLException {
    if (bound > 0) {
      throw new IllegalStateException(
          "every row must be added before its batch runs but %d values were not; call addBatch(): %s"
              .formatted(bound, text));
    }
    if (batched == 0) {
      return BatchCounts.NONE;
    }
    batched = 0;
    return new BatchCounts(noted(text, statement::executeBatch));
  }

  /**
   * Runs a batch of an INSERT prepared by {@link Dialect#sqlReturningKeys} and hands back the keys
   * in the order of the rows.
   */
  public List<Long> updateBatchForKeys() throws SQLException {
    int rows = batched;
    updateBatch();
    List<Long> keys = rows == 0 ? List.of() : generatedKeys();
    if (keys.size() != rows) {
      throw new IllegalStateException(
          "batch must generate %d keys but generated %d; prepare it with sqlReturningKeys(...): %s"
              .formatted(rows, keys.size(), text));
    }
    return keys;
  }

  /** Runs the query and reads all its rows. */
  public <T> List<T> list(RowReader<T> reader) throws SQLException {
    requireReady();
    return noted(text, () -> read(statement.executeQuery(), reader, false));
  }

  /** Runs the query and reads its first row, if it has one; the reader must not give null. */
  public <T> Optional<T> first(RowReader<T> reader) throws SQLException {
    requireReady();
    return noted(text, () -> read(statement.executeQuery(), reader, true)).stream().findFirst();
  }

  private List<Long> generatedKeys() throws SQLException {
    return noted(text, () -> read(statement.getGeneratedKeys(), Row::longValue, false));
  }

  private static <T> List<T> read(ResultSet results, RowReader<T> reader, boolean firstOnly)
      throws SQLException {
    List<T> rows = new ArrayList<>();
    try (results) {
      while (results.next()) {
        rows.add(reader.read(new Row(results)));
        if (firstOnly) {
          break;
        }
      }
    }
    return rows;
  }

  private int next() {
    if (bound == placeholders) {
      throw new IllegalStateException(wrongCount(bound + 1));
    }
    return ++bound;
  }

  private void requireReady() {
    if (batched > 0) {
      throw new IllegalStateException(
          "a statement must have no batch to run by itself but %d rows wait; call updateBatch(): %s"
              .formatted(batched, text));
    }
    requireAllBound();
  }

  private void requireAllBound() {
    if (bound != placeholders) {
      throw new IllegalStateException(wrongCount(bound));
    }
    bound = 0;
  }

  private String wrongCount(int found) {
    return "statement must have a value for each of its %d placeholders but %d were bound: %s"
        .formatted(placeholders, found, text);
  }

  /** Closes the statement; the connection stays open. */
  @Override
  public void close() throws SQLException {
    statement.close();
  }

  static LocalDateTime utcMicros(Instant instant) {
    if (instant.isBefore(EARLIEST) || !instant.isBefore(LATEST.plus(1, ChronoUnit.MICROS))) {
      throw new IllegalArgumentException(
          "instant must be %s to %s, which all databases can keep, but was %s"
              .formatted(EARLIEST, LATEST, instant));
    }
    return LocalDateTime.ofInstant(instant.truncatedTo(ChronoUnit.MICROS), ZoneOffset.UTC);
  }

  private static <T> T noted(String text, Access<T> access) throws SQLException {
    try {
      return access.run();
    } catch (SQLException e) {
      e.addSuppressed(new FailedStatement(text));
      throw e;
    }
  }

  /** Something asked of the database. */
  @FunctionalInterface
  interface Access<T> {
    T run() throws SQLException;
  }

  /**
   * The text of a statement that failed, found among the suppressed exceptions of the failure,
   * which so keeps its own class, SQLState and vendor code. Holds no values: they may be secrets.
   */
  private static final class FailedStatement extends Exception {
    private static final long serialVersionUID = 1L;

    FailedStatement(String text) {
      super(text.strip(), null, false, false);
    }
  }
}
