/** Failover around the beans of Spring. */
module io.holdfast.failover.spring {
  requires transitive io.holdfast.failover;
  requires io.holdfast.spring;
  requires spring.aop;
  requires spring.beans;
  requires spring.core;
  requires static context.propagation;
  requires static org.slf4j;
  requires static org.jspecify;

  exports failover.spring;
}
