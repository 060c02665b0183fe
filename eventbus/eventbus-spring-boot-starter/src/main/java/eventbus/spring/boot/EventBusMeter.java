package eventbus.spring.boot;

/** The meters of the event bus; counts are this node's and begin when the process does. */
public enum EventBusMeter {
  /** Events published here. */
  PUBLISHED(
      "eventbus.published",
      Kind.COUNTER,
      "Events published by this node and, where it knows, committed."),
  /** Attempts: events acquired here. */
  ACQUIRED("eventbus.acquired", Kind.COUNTER, "Events acquired by this node: attempts begun."),
  /** Events this node completed. */
  COMPLETED("eventbus.completed", Kind.COUNTER, "Events this node closed as COMPLETED."),
  /** Events this node gave up. */
  FAILED("eventbus.failed", Kind.COUNTER, "Events this node closed as FAILED."),
  /** Failures that will be tried again. */
  RETRIED("eventbus.retried", Kind.COUNTER, "Handler failures after which the event waits."),
  /** Events returned unhandled. */
  GIVEN_BACK("eventbus.given.back", Kind.COUNTER, "Events given back unhandled."),
  /** Outcomes that came too late. */
  STALE("eventbus.stale", Kind.COUNTER, "Outcomes refused: the claim had passed to another."),
  /** Workers that were lost. */
  LAPSED("eventbus.lapsed", Kind.COUNTER, "Events acquired whose last worker was lost with them."),
  /** Events in hand. */
  IN_HAND("eventbus.in.hand", Kind.GAUGE, "Events the workers of this node have in hand."),
  /** Queue depth. */
  DEPTH("eventbus.depth", Kind.GAUGE, "Events in the table, waiting or in a worker's hands."),
  /** Events that could be acquired. */
  DUE("eventbus.due", Kind.GAUGE, "Events in the table that could be acquired now."),
  /** Events this node has no handler for. */
  UNHANDLED("eventbus.unhandled", Kind.GAUGE, "Events waiting that this node has no handler for."),
  /** Age of the oldest event. */
  OLDEST_AGE(
      "eventbus.oldest.age",
      Kind.GAUGE_OF_SECONDS,
      "How long ago the oldest event in the table was published."),
  /** The longest wait for a worker. */
  LAG(
      "eventbus.lag",
      Kind.GAUGE_OF_SECONDS,
      "How long what is due and handled here has waited for a worker, at most."),
  /** Time of handlers. */
  HANDLER_TIME("eventbus.handler.time", Kind.TIMER, "Time the handlers of one event took.");

  /** How a meter is read. */
  public enum Kind {
    /** Only goes up. */
    COUNTER,
    /** Goes up and down. */
    GAUGE,
    /** Goes up and down, in seconds. */
    GAUGE_OF_SECONDS,
    /** Counts and adds up times. */
    TIMER
  }

  private final String meterName;
  private final Kind kind;
  private final String sentence;

  EventBusMeter(String meterName, Kind kind, String sentence) {
    this.meterName = meterName;
    this.kind = kind;
    this.sentence = sentence;
  }

  /** The meter's name in the registry. */
  public String meterName() {
    return meterName;
  }

  /** How it is read. */
  public Kind kind() {
    return kind;
  }

  /** What it measures, in a sentence. */
  public String sentence() {
    return sentence;
  }
}
