/** The outbox in a table. */
module io.holdfast.outbox.jdbc {
  requires transitive io.holdfast.outbox;
  requires static org.jspecify;

  exports outbox.jdbc;

  opens outbox.jdbc.schema to
      io.holdfast.jdbc;
  opens outbox.jdbc.schema.inbox to
      io.holdfast.jdbc;
  opens outbox.jdbc.schema.upgrade to
      io.holdfast.jdbc;
}
