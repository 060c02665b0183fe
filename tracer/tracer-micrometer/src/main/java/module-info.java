/** The tracer's meters and ledger in Micrometer. */
@SuppressWarnings("requires-transitive-automatic") // Micrometer has no module descriptor
module io.holdfast.tracer.micrometer {
  requires transitive io.holdfast.tracer;
  requires transitive micrometer.core;
  requires io.holdfast.micrometer;
  requires static org.jspecify;

  exports tracer.micrometer;
}
