package outbox.spring.boot;

/** The meters of the outbox on this node; counts begin when the process does. */
public enum OutboxMeter {
  /** Events that entered the hot queue. */
  HOT_ENQUEUED("outbox.hot.enqueued", Kind.COUNTER, "Events queued right after their commit."),
  /** Events the hot queue had no room for. */
  HOT_DROPPED(
      "outbox.hot.dropped", Kind.COUNTER, "Events left to the poller: the hot queue was full."),
  /** Events that entered the cold queue. */
  COLD_ENQUEUED("outbox.cold.enqueued", Kind.COUNTER, "Events found in the table and queued."),
  /** Events all listeners took. */
  DISPATCH_SUCCESS("outbox.dispatch.success", Kind.COUNTER, "Events all listeners took."),
  /** Deliveries that failed and will be repeated. */
  DISPATCH_FAILURE(
      "outbox.dispatch.failure", Kind.COUNTER, "Deliveries that failed and will be repeated."),
  /** Events that were given up. */
  DISPATCH_DEAD("outbox.dispatch.dead", Kind.COUNTER, "Events that were given up."),
  /** Outcomes another node had overtaken. */
  STALE_MARKS(
      "outbox.marks.stale", Kind.COUNTER, "Outcomes left out: another node owned the event."),
  /** Claims that ran out. */
  LAPSED_CLAIMS("outbox.claims.lapsed", Kind.COUNTER, "Claims that ran out without an outcome."),
  /** Events returned to the table undelivered. */
  GIVEN_BACK("outbox.given.back", Kind.COUNTER, "Events returned to the table undelivered."),
  /** Events in the hot queue. */
  HOT_DEPTH("outbox.hot.depth", Kind.GAUGE, "Events waiting in the hot queue."),
  /** Events in the cold queue. */
  COLD_DEPTH("outbox.cold.depth", Kind.GAUGE, "Events waiting in the cold queue."),
  /** Age of the oldest event of the last poll, in milliseconds. */
  OLDEST_LAG(
      "outbox.oldest.lag",
      Kind.GAUGE,
      "Age of the oldest event the last successful poll found, in milliseconds; 0 for none."),
  /** Time the listeners of one event took. */
  DISPATCH_TIME("outbox.dispatch.time", Kind.TIMER, "Time the listeners of one event took.");

  /** How a meter is read. */
  public enum Kind {
    /** Only goes up. */
    COUNTER,
    /** Goes up and down. */
    GAUGE,
    /** Counts and adds up times. */
    TIMER
  }

  private final String meterName;
  private final Kind kind;
  private final String sentence;

  OutboxMeter(String meterName, Kind kind, String sentence) {
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
