/** Stored answers of failover in a table. */
module io.holdfast.failover.jdbc {
  requires transitive io.holdfast.failover;
  requires transitive io.holdfast.jdbc;
  requires static org.jspecify;

  exports failover.jdbc;

  opens failover.jdbc.schema to
      io.holdfast.jdbc;
  opens failover.jdbc.schema.upgrade to
      io.holdfast.jdbc;
}
