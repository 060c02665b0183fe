/** Failover: the last good answer of a call, with its age, when the source fails. */
module io.holdfast.failover {
  requires transitive io.holdfast.core;
  requires com.fasterxml.jackson.annotation;
  requires tools.jackson.core;
  requires transitive tools.jackson.databind;
  requires static io.github.resilience4j.circuitbreaker;
  requires static org.jspecify;

  exports failover;
  exports failover.codec;
  exports failover.execution;
  exports failover.expiry;
  exports failover.key;
  exports failover.observe;
  exports failover.proxy;
  exports failover.recovery;
  exports failover.resilience;
  exports failover.store;
}
