package tracer.perfetto;

import java.util.Arrays;
import tracer.sink.TraceBatch;

/**
 * A span that has begun and not ended, as the encoder knows it. Not safe for use by many threads.
 */
final class OpenSpan {
  /** So many flows of a span are kept until its begin is written. */
  private static final int MOST_FLOWS = 4;

  int event;
  long began;
  int depth;

  /** The latest time that is known to be in it. */
  long latest;

  int values;
  long a;
  long b;
  long c;
  long d;

  // Of threads whose events come in another order than they were recorded.
  boolean isWritten;
  boolean isBounded;
  long latestEnd;
  int boundedAt; // after so many flushes
  long[] flows = {};

  boolean[] ended = {}; // which of the flows end

  /** Becomes the span that the batch shows, at its begin or at its end. */
  OpenSpan of(TraceBatch batch) {
    event = batch.eventId();
    began = batch.began();
    depth = batch.depth();
    latest = began;
    values = batch.values();
    a = batch.a();
    b = batch.b();
    c = batch.c();
    d = batch.d();
    isWritten = false;
    isBounded = false;
    return this;
  }

  OpenSpan copy() {
    OpenSpan copy = new OpenSpan();
    copy.event = event;
    copy.began = began;
    copy.depth = depth;
    copy.latest = latest;
    copy.values = values;
    copy.a = a;
    copy.b = b;
    copy.c = c;
    copy.d = d;
    copy.isWritten = isWritten;
    copy.isBounded = isBounded;
    copy.latestEnd = latestEnd;
    copy.boundedAt = boundedAt;
    copy.flows = flows;
    copy.ended = ended;
    return copy;
  }

  boolean is(int otherEvent, long otherBegan) {
    return event == otherEvent && began == otherBegan;
  }

  /** Notes a flow for the begin; false if it has too many. */
  boolean keepFlow(long id, boolean ends) {
    if (flows.length == MOST_FLOWS) {
      return false;
    }
    int count = flows.length;
    flows = Arrays.copyOf(flows, count + 1);
    flows[count] = id;
    ended = Arrays.copyOf(ended, count + 1);
    ended[count] = ends;
    return true;
  }

  /** It ended before an outer one did, at that time; known after so many flushes. */
  void endedUntil(long time, int flushes) {
    latestEnd = isBounded ? Math.min(latestEnd, time) : time;
    boundedAt = isBounded ? boundedAt : flushes;
    isBounded = true;
  }
}
