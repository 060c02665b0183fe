/** The ledger of Holdfast's libraries as Micrometer meters. */
@SuppressWarnings("requires-transitive-automatic") // Micrometer has no module descriptor
module io.holdfast.micrometer {
  requires transitive io.holdfast.core;
  requires transitive micrometer.core;
  requires static org.jspecify;

  exports holdfast.micrometer;
}
