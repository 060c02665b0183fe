/** The event bus: events through a table, from any pod to any one worker. */
module io.holdfast.eventbus {
  requires transitive io.holdfast.core;
  requires transitive io.holdfast.jdbc;
  requires static org.jspecify;

  exports eventbus;

  opens eventbus.schema to
      io.holdfast.jdbc;
}
