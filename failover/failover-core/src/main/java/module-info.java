/** Failover: the last good answer of a call, with its age, when the source fails. */
@SuppressWarnings("module") // modules that stand on this one are not there yet
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
  exports failover.slices;
  exports failover.store;
  exports failover.store.encryption;
  exports failover.tenant;
  exports failover.observe.internal to
      failover.spring.boot.starter;
  exports failover.proxy.annotations to
      io.holdfast.failover.spring;
}
