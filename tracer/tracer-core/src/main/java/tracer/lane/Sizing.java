package tracer.lane;

import java.time.Duration;
import tracer.Lane;
import tracer.ring.RecordFormat;
import tracer.ring.Ring;

/**
 * How many rings each lane has, and how large they are.
 *
 * @param ringWords the words of each ring for records
 * @param largestDetail the most bytes of an event of {@link Lane#DETAIL}; each ring has room for it
 * @param indexRings the rings of {@link Lane#INDEX}
 * @param detailRings the rings of {@link Lane#DETAIL}
 * @param criticalRings the rings of {@link Lane#CRITICAL}
 * @param memoryLimit how many bytes all rings may have together
 */
public record Sizing(
    int ringWords,
    int largestDetail,
    int indexRings,
    int detailRings,
    int criticalRings,
    long memoryLimit) {
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /** The rings of a lane. */
  public int rings(Lane lane) {
    return switch (lane) {
      case INDEX -> indexRings;
      case DETAIL -> detailRings;
      case CRITICAL -> criticalRings;
    };
  }

  /** How long it takes to fill a ring with events of values at that rate. */
  public Duration timeToFillARing(long eventsPerSecond) {
    long events = ringWords / RecordFormat.VALUE_WORDS;
    return Duration.ofNanos(Math.max(1, events * NANOS_PER_SECOND / eventsPerSecond));
  }

  /** The rings of all lanes. */
  public int rings() {
    return indexRings + detailRings + criticalRings;
  }

  /** The number of a lane's first ring. */
  int first(Lane lane) {
    return switch (lane) {
      case INDEX -> 0;
      case DETAIL -> indexRings;
      case CRITICAL -> indexRings + detailRings;
    };
  }

  /** The lane of a ring. */
  Lane home(int ring) {
    if (ring < indexRings) {
      return Lane.INDEX;
    }
    return ring < indexRings + detailRings ? Lane.DETAIL : Lane.CRITICAL;
  }

  /** The bytes of one ring. */
  public long ringBytes() {
    return (long) (ringWords + Ring.START) * Long.BYTES;
  }

  /** The bytes of so many rings, and of the one that the drain copies into. */
  public long bytes(int rings) {
    return (rings + 1) * ringBytes();
  }

  /** The bytes of all rings, if the limit allows them. */
  public long wantedBytes() {
    return bytes(rings());
  }

  /** The bytes of the rings that the limit allows. */
  public long allowedBytes() {
    return bytes(allowedRings());
  }

  /** How many rings the limit allows. */
  public int allowedRings() {
    return (int) Math.min(rings(), memoryLimit / ringBytes() - 1);
  }
}
