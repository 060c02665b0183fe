/** Stored answers of failover in a Caffeine cache. */
module io.holdfast.failover.caffeine {
  requires transitive io.holdfast.failover;
  requires com.github.benmanes.caffeine;
  requires static org.jspecify;

  exports failover.caffeine;
}
