package benchmarks.tracer;

/** One who takes events: time, thread, kind and two numbers each. Safe for use by its producers. */
public interface Recorder extends AutoCloseable {
  /** The kind of all events. */
  int KIND = 7;

  /** Takes an event; the recorder adds time and thread. */
  void record(long a, long b);

  /** How many events its consumer has read so far. */
  long taken();

  /**
   * Ends the consumer.
   *
   * @throws IllegalStateException if an event was lost; the figures are void then
   */
  @Override
  void close();
}
