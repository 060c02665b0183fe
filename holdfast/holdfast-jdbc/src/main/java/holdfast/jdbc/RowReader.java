package holdfast.jdbc;

import java.sql.SQLException;

/**
 * Makes a value of a row.
 *
 * @param <T> what it makes
 */
@FunctionalInterface
public interface RowReader<T> {

  /** The value of this row, which is valid until the method returns. */
  T read(Row row) throws SQLException;
}
