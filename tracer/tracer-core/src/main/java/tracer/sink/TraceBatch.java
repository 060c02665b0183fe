package tracer.sink;

import tracer.Lane;
import tracer.TraceEvent;

/**
 * Events in the order in which they were recorded, looked at one after the other.
 *
 * <pre>{@code
 * while (batch.next()) {
 *   encode(batch.time(), batch.event(), batch.a(), batch.b());
 * }
 * }</pre>
 *
 * <p>What it shows is memory that is used again: it is valid until {@link TraceSink#write} returns,
 * on the thread that called it. Not safe for use by many threads.
 */
public interface TraceBatch {

  /** The lane of all events of the batch. */
  Lane lane();

  /** How many events the batch has. */
  int size();

  /** The name of the thread that recorded them, empty if several did. */
  String threadName();

  /**
   * Moves to the next event; the first call moves to the first.
   *
   * @return false if there is none
   */
  boolean next();

  /** When the event was recorded, as a reading in nanoseconds of the tracer's clock. */
  long time();

  /** What kind of event it is. */
  default TraceEvent event() {
    return TraceEvent.withId(eventId());
  }

  /** The number of its {@link TraceEvent}. */
  int eventId();

  /** The number of the thread that recorded it; its lower 32 bits, as a positive number. */
  long threadId();

  /** How many of {@link #a()}, {@link #b()}, {@link #c()} it has: 2, 3, or 0 if it has bytes. */
  int values();

  /** Its first value. */
  long a();

  /** Its second value. */
  long b();

  /** Its third value. */
  long c();

  /** How many bytes it has; 0 if it has values. */
  int length();

  /**
   * Copies its bytes.
   *
   * @param into where to, with room for {@link #length()} bytes
   * @param at the index of the first
   */
  void copyBytes(byte[] into, int at);
}
