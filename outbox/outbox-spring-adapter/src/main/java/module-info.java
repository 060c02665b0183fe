/** The outbox in Spring's transactions. */
module io.holdfast.outbox.spring {
  requires transitive io.holdfast.outbox;
  requires io.holdfast.spring;
  requires spring.jdbc;
  requires spring.tx;
  requires static org.jspecify;

  exports outbox.spring;
}
