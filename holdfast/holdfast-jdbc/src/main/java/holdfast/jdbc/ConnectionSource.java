package holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Where connections come from: a data source, or whatever else a library is given. */
@FunctionalInterface
public interface ConnectionSource {

  /** An open connection that belongs to the caller, who closes it. */
  Connection getConnection() throws SQLException;
}
