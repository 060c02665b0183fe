/** Dialects, statements, table names, schema files and transactions for rooms that keep tables. */
module io.holdfast.jdbc {
  requires transitive java.sql;
  requires static transitive org.jspecify;

  exports holdfast.jdbc;
}
