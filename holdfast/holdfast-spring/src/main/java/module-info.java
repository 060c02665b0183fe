/**
 * What Holdfast's Spring starters and adapters do alike. Whoever uses a part brings the libraries
 * that this part stands on; none comes by itself but Spring's core.
 */
module io.holdfast.spring {
  requires transitive io.holdfast.core;
  requires transitive java.sql;
  requires spring.core;
  requires static io.holdfast.jackson;
  requires static io.holdfast.jdbc;
  requires static org.jspecify;
  requires static spring.aop;
  requires static spring.beans;
  requires static spring.boot;
  requires static spring.boot.actuator;
  requires static spring.boot.autoconfigure;
  requires static spring.boot.jdbc;
  requires static spring.boot.sql;
  requires static spring.context;
  requires static spring.jdbc;
  requires static spring.tx;
  requires static tools.jackson.databind;

  exports holdfast.spring;
  exports holdfast.spring.boot;
}
