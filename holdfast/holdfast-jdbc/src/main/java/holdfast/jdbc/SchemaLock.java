package holdfast.jdbc;

import java.sql.SQLException;

/** The right to create tables, held by one node at a time until closed. */
@FunctionalInterface
interface SchemaLock extends AutoCloseable {

  @Override
  void close() throws SQLException;
}
