/** The outbox: events written inside a transaction and delivered after its commit. */
module io.holdfast.outbox {
  requires transitive io.holdfast.core;
  requires transitive io.holdfast.jdbc;
  requires static org.jspecify;

  exports outbox;
  exports outbox.dispatch;
  exports outbox.model;
  exports outbox.poller;
  exports outbox.registry;
  exports outbox.spi;
  exports outbox.util;
}
