package eventbus.spring.boot;

import static holdfast.micrometer.MeterInfo.counter;
import static holdfast.micrometer.MeterInfo.gauge;
import static holdfast.micrometer.MeterInfo.gaugeOf;
import static holdfast.micrometer.MeterInfo.timer;

import holdfast.micrometer.ListedMeter;
import holdfast.micrometer.MeterInfo;

/** The meters of the event bus; counts are this node's and begin when the process does. */
public enum EventBusMeter implements ListedMeter {
  /** Events published here. */
  PUBLISHED(
      counter(
          "eventbus.published", "Events published by this node and, where it knows, committed.")),
  /** Attempts: events acquired here. */
  ACQUIRED(counter("eventbus.acquired", "Events acquired by this node: attempts begun.")),
  /** Events this node completed. */
  COMPLETED(counter("eventbus.completed", "Events this node closed as COMPLETED.")),
  /** Events this node gave up. */
  FAILED(counter("eventbus.failed", "Events this node closed as FAILED.")),
  /** Failures that will be tried again. */
  RETRIED(counter("eventbus.retried", "Handler failures after which the event waits.")),
  /** Events returned unhandled. */
  RELEASED(counter("eventbus.released", "Events released unhandled.")),
  /** Outcomes that came too late. */
  STALE(counter("eventbus.stale", "Outcomes refused: the claim had passed to another.")),
  /** Workers that were lost. */
  LAPSED(counter("eventbus.lapsed", "Events acquired whose last worker was lost with them.")),
  /** Events in flight. */
  IN_FLIGHT(gauge("eventbus.in.flight", "Events the workers of this node have in flight.")),
  /** Queue depth. */
  DEPTH(gauge("eventbus.depth", "Events in the table, waiting or in a worker's hands.")),
  /** Events that could be acquired. */
  DUE(gauge("eventbus.due", "Events in the table that could be acquired now.")),
  /** Events this node has no handler for. */
  UNHANDLED(gauge("eventbus.unhandled", "Events waiting that this node has no handler for.")),
  /** Age of the oldest event. */
  OLDEST_AGE(
      gaugeOf(
          "seconds",
          "eventbus.oldest.age",
          "How long ago the oldest event in the table was published.")),
  /** The longest wait for a worker. */
  LAG(
      gaugeOf(
          "seconds",
          "eventbus.lag",
          "How long what is due and handled here has waited for a worker, at most.")),
  /** How long the slowest handler has run. */
  OLDEST_IN_FLIGHT(
      gaugeOf(
          "seconds",
          "eventbus.oldest.in.flight",
          "How long the handler that runs longest has run; 0 for none.")),
  /** Time of handlers. */
  HANDLER_TIME(timer("eventbus.handler.time", "Time the handlers of one event took."));

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts is
  private final MeterInfo info;

  EventBusMeter(MeterInfo info) {
    this.info = info;
  }

  @Override
  public MeterInfo info() {
    return info;
  }
}
