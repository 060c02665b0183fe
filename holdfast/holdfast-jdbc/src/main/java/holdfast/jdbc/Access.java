package holdfast.jdbc;

import java.sql.SQLException;

/** Something asked of the database. */
@FunctionalInterface
interface Access<T> {

  T run() throws SQLException;
}
