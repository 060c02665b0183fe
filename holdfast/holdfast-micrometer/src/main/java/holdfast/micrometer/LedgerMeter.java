package holdfast.micrometer;

import static holdfast.micrometer.MeterInfo.counter;
import static holdfast.micrometer.MeterInfo.gauge;

/** The meters of a library's delivery ledger; each has a tag {@code library}. */
public enum LedgerMeter implements ListedMeter {
  /** Events that the library has taken responsibility for. */
  ACCEPTED(counter("holdfast.ledger.accepted", "Events that the library accepted.")),
  /** Events of an earlier process. */
  RECOVERED_AT_STARTUP(
      counter(
          "holdfast.ledger.recovered.at.startup",
          "Events of an earlier process that were recovered when this one started.")),
  /** Events that reached their destination. */
  DELIVERED(counter("holdfast.ledger.delivered", "Events that reached their destination.")),
  /** Events that are gone for good; with a tag {@code reason}. */
  LOST(counter("holdfast.ledger.lost", "Events that are gone for good, by the tag reason.")),
  /** Events that are still there; with a tag {@code place}. */
  HELD(gauge("holdfast.ledger.held", "Events that are still there, by the tag place.")),
  /** Events on their way from one place to another. */
  IN_TRANSIT(gauge("holdfast.ledger.in.transit", "Events between two places; zero at rest.")),
  /** Events that must still be there but are counted in no place. */
  UNACCOUNTED(
      gauge(
          "holdfast.ledger.unaccounted",
          "Events that must still be there but are counted in no place; zero at rest."));

  /** The tag that names the library: {@value}. */
  public static final String LIBRARY_TAG = "library";

  /** The tag that names why events were lost: {@value}. */
  public static final String REASON_TAG = "reason";

  /** The tag that names where events are held: {@value}. */
  public static final String PLACE_TAG = "place";

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts is
  private final MeterInfo info;

  LedgerMeter(MeterInfo info) {
    this.info = info;
  }

  @Override
  public MeterInfo info() {
    return info;
  }
}
