package outbox.spring.boot;

import static holdfast.micrometer.MeterInfo.counter;
import static holdfast.micrometer.MeterInfo.gauge;
import static holdfast.micrometer.MeterInfo.gaugeOf;
import static holdfast.micrometer.MeterInfo.timer;

import holdfast.micrometer.ListedMeter;
import holdfast.micrometer.MeterInfo;

/** The meters of the outbox on this node; counts begin when the process does. */
public enum OutboxMeter implements ListedMeter {
  /** Events that entered the hot queue. */
  HOT_ENQUEUED(counter("outbox.hot.enqueued", "Events queued right after their commit.")),
  /** Events the hot queue had no room for. */
  HOT_DROPPED(counter("outbox.hot.dropped", "Events left to the poller: the hot queue was full.")),
  /** Events that entered the cold queue. */
  COLD_ENQUEUED(counter("outbox.cold.enqueued", "Events found in the table and queued.")),
  /** Events all listeners took. */
  DISPATCH_SUCCESS(counter("outbox.dispatch.success", "Events all listeners took.")),
  /** Deliveries that failed and will be repeated. */
  DISPATCH_FAILURE(
      counter("outbox.dispatch.failure", "Deliveries that failed and will be repeated.")),
  /** Events that were given up. */
  DISPATCH_DEAD(counter("outbox.dispatch.dead", "Events that were given up.")),
  /** Outcomes another node had overtaken. */
  STALE_OUTCOMES(
      counter("outbox.outcomes.stale", "Outcomes left out: another node owned the event.")),
  /** Claims that ran out. */
  LAPSED_CLAIMS(counter("outbox.claims.lapsed", "Claims that ran out without an outcome.")),
  /** Events returned to the table undelivered. */
  RELEASED(counter("outbox.released", "Events returned to the table undelivered.")),
  /** Events released for lack of a listener. */
  UNHANDLED(counter("outbox.unhandled", "Events released: this node has no listener for them.")),
  /** Events in the hot queue. */
  HOT_DEPTH(gauge("outbox.hot.depth", "Events waiting in the hot queue.")),
  /** Events in the cold queue. */
  COLD_DEPTH(gauge("outbox.cold.depth", "Events waiting in the cold queue.")),
  /** Age of the oldest event of the last poll, or in flight. */
  OLDEST_LAG(
      gaugeOf(
          "seconds",
          "outbox.oldest.lag",
          "How long the oldest event that the last successful poll found has been due, or one is in flight here.")),
  /** How long the slowest listener has run. */
  OLDEST_IN_FLIGHT(
      gaugeOf(
          "seconds",
          "outbox.oldest.in.flight",
          "How long the listener that runs longest has run; 0 for none.")),
  /** Time the listeners of one event took. */
  DISPATCH_TIME(timer("outbox.dispatch.time", "Time the listeners of one event took."));

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts is
  private final MeterInfo info;

  OutboxMeter(MeterInfo info) {
    this.info = info;
  }

  @Override
  public MeterInfo info() {
    return info;
  }
}
