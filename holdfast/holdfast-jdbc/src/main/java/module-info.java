/**
 * Dialects, statements, table names, schema files and transactions for libraries that keep tables.
 */
module io.holdfast.jdbc {
  requires transitive io.holdfast.core;
  requires transitive java.sql;
  requires static org.jspecify;

  exports holdfast.jdbc;
}
