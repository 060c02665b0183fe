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

  /**
   * Returns the name of the thread that recorded the event; empty if the thread has none, or is not
   * known any more.
   */
  String threadName();

  /** Returns whether a virtual thread recorded the event. */
  boolean isVirtual();

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

  /** Returns what the event says about time. */
  TracePhase phase();

  /**
   * Returns how deep the span is that begins or ends, on its thread: 1 if it is in no other; 0 if
   * that is not known. A span that was recorded when it was over is an end without a begin, and
   * without a depth.
   */
  int depth();

  /**
   * Returns whether a span begins or ends on a thread that shares rings. Events of such threads may
   * come in another order than they were recorded.
   */
  boolean isShared();

  /**
   * Returns when the span began that ends, or through which a flow passes; of other events their
   * own time.
   */
  long began();

  /** Returns the id of an asynchronous span or of a flow; of other events 0. */
  long id();

  /** Returns whether the value of a counter is that of a double, as its bits. */
  boolean isDouble();

  /**
   * Returns how many values it has, 0 to 4; what they are is declared with its {@link TraceEvent}.
   * The end of a span has the values of its begin if it {@linkplain #isShared() is shared} or its
   * depth is not known, otherwise none.
   */
  int values();

  /**
   * Returns a value: a number, or what {@link tracer.TraceValue} made of something else.
   *
   * @param index 0 for the first
   * @throws IndexOutOfBoundsException if it has not so many
   */
  long value(int index);

  /** Its first value; 0 if it has none. */
  long a();

  /** Its second value; 0 if it has none. */
  long b();

  /** Its third value; 0 if it has none. */
  long c();

  /** Its fourth value; 0 if it has none. */
  long d();

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
