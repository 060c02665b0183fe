package holdfast.jdbc;

import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * A row of a result, read from left to right: each reading takes the next column, and {@link
 * #at(String)} goes to a column by its name.
 *
 * <pre>{@code
 * new Event(row.string(), row.instant(), row.at("attempts").intValue())
 * }</pre>
 *
 * <p>Where NULL can be, the variant ending in {@code OrNull} is used; the others fail on NULL with
 * an {@link SQLDataException} that names the column. Not safe for use by several threads.
 */
public final class Row {

  /** Null where a value was needed, as the SQL standard numbers it. */
  private static final String NULL_VALUE = "22002";

  private final ResultSet results;
  private int column;

  Row(ResultSet results) {
    this.results = results;
  }

  /** This row with the named column next; reading goes on from there. */
  public Row at(String columnName) throws SQLException {
    column = results.findColumn(columnName) - 1;
    return this;
  }

  /** The next column, a text. */
  public String string() throws SQLException {
    return present(stringOrNull());
  }

  /** The next column, a text or NULL. */
  public @Nullable String stringOrNull() throws SQLException {
    return results.getString(++column);
  }

  /** The next column, a number. */
  public int intValue() throws SQLException {
    return present(intOrNull());
  }

  /** The next column, a number or NULL. */
  public @Nullable Integer intOrNull() throws SQLException {
    int value = results.getInt(++column);
    return results.wasNull() ? null : value;
  }

  /** The next column, a number. */
  public long longValue() throws SQLException {
    return present(longOrNull());
  }

  /** The next column, a number or NULL. */
  public @Nullable Long longOrNull() throws SQLException {
    long value = results.getLong(++column);
    return results.wasNull() ? null : value;
  }

  /** The next column, true or false. */
  public boolean bool() throws SQLException {
    return present(boolOrNull());
  }

  /** The next column: true, false or NULL. */
  public @Nullable Boolean boolOrNull() throws SQLException {
    boolean value = results.getBoolean(++column);
    return results.wasNull() ? null : value;
  }

  /** The next column, bytes. */
  public byte[] bytes() throws SQLException {
    return present(bytesOrNull());
  }

  /** The next column, bytes or NULL. */
  public byte @Nullable [] bytesOrNull() throws SQLException {
    return results.getBytes(++column);
  }

  /** The next column, of {@link Dialect#instantType()}, as {@link Sql#bind(Instant)} wrote it. */
  public Instant instant() throws SQLException {
    return present(instantOrNull());
  }

  /** The next column, of {@link Dialect#instantType()}, or NULL. */
  public @Nullable Instant instantOrNull() throws SQLException {
    LocalDateTime utc = results.getObject(++column, LocalDateTime.class);
    return utc == null ? null : utc.toInstant(ZoneOffset.UTC);
  }

  /** The next column, of {@link Dialect#jsonType()}, as text. */
  public String json() throws SQLException {
    return present(jsonOrNull());
  }

  /** The next column, of {@link Dialect#jsonType()}, as text, or NULL; JSON's null is a text. */
  public @Nullable String jsonOrNull() throws SQLException {
    return results.getString(++column);
  }

  private <T> T present(@Nullable T value) throws SQLException {
    if (value == null) {
      throw new SQLDataException(
          "column %d (%s) must have a value but was NULL; read it with the OrNull variant"
              .formatted(column, results.getMetaData().getColumnLabel(column)),
          NULL_VALUE);
    }
    return value;
  }
}
