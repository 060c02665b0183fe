package tracer.drain;

/**
 * How fast events come and go: the last whole interval, and the fastest so far. Safe for use by
 * many threads.
 */
public final class Rates {
  private static final double NANOS_PER_SECOND = 1e9;

  /** Shorter intervals say more about the clock than about events. */
  private static final long SHORTEST = 100_000_000;

  /**
   * What was counted until a moment.
   *
   * @param recorded the events
   * @param dropped those of them that were dropped
   * @param bytes what the sink has written
   */
  public record Counts(long recorded, long dropped, long bytes) {}

  /**
   * Rates by the second.
   *
   * @param events recorded
   * @param drops dropped
   * @param bytes written
   * @param peakEvents the highest rate of recording of all intervals
   */
  public record PerSecond(double events, double drops, double bytes, double peakEvents) {}

  private Counts before;
  private long since;
  private PerSecond last = new PerSecond(0, 0, 0, 0);

  /** Rates that are all zero. */
  public Rates(Counts counts, long now) {
    this.before = counts;
    this.since = now;
  }

  /** Ends an interval, unless it is too short to be one. */
  public synchronized void sample(Counts counts, long now) {
    long passed = now - since;
    if (passed < SHORTEST) {
      return;
    }
    double seconds = passed / NANOS_PER_SECOND;
    double events = (counts.recorded - before.recorded) / seconds;
    last =
        new PerSecond(
            events,
            (counts.dropped - before.dropped) / seconds,
            (counts.bytes - before.bytes) / seconds,
            Math.max(events, last.peakEvents));
    before = counts;
    since = now;
  }

  /** The rates of the last interval. */
  public synchronized PerSecond last() {
    return last;
  }
}
