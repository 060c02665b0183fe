package tracer;

import holdfast.problems.Problems;
import java.math.BigInteger;
import java.time.Duration;
import tracer.lane.Sizing;
import tracer.ring.RecordFormat;

/** The rules for the settings of a tracer, and the sizes that follow from them. Stateless. */
final class SettingsCheck {
  private static final int MOST_PRODUCERS = 1024;
  private static final int MOST_SPARES = 1024;
  private static final int MOST_RINGS = 1 << 18;
  private static final long MOST_RATE = 1_000_000_000_000L;
  private static final Duration LONGEST = Duration.ofDays(365);
  private static final int LEAST_EVENTS = 8;
  private static final int MOST_WORDS = 1 << 23; // 64 MiB: a message of one event stays encodable
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private SettingsCheck() {}

  /**
   * Checks all settings.
   *
   * @throws IllegalArgumentException if any is out of range, naming all of them
   */
  static void run(TracerBuilder b) {
    Problems problems = new Problems("Tracer");
    between(problems, "peakRate", 1, MOST_RATE, b.peakRate);
    between(problems, "producers", 1, MOST_PRODUCERS, b.producers);
    between(problems, "spareRings of INDEX", 1, MOST_SPARES, b.indexSpareRings);
    between(problems, "spareRings of DETAIL", 1, MOST_SPARES, b.detailSpareRings);
    between(problems, "spareRings of CRITICAL", 1, MOST_SPARES, b.criticalSpareRings);
    between(problems, "memoryLimit", 1, Long.MAX_VALUE, b.memoryLimit);
    between(problems, "highWatermark", 1, 100, b.highWatermark);
    between(problems, "lowWatermark", 0, Math.max(0, b.highWatermark - 1), b.lowWatermark);
    positive(problems, "burstWindow", b.burstWindow);
    positive(problems, "flushInterval", b.flushInterval);
    positive(problems, "diskSlowAfter", b.diskSlowAfter);
    notNegative(problems, "emergencyWait", b.emergencyWait);
    notNegative(problems, "closeTimeout", b.closeTimeout);
    Integer capacity = b.submitQueueCapacity;
    if (capacity != null) {
      between(problems, "submitQueueCapacity", 1, Integer.MAX_VALUE, capacity);
    }
    if (problems.found().isEmpty()) {
      checkSizes(problems, b);
    }
    problems.throwIfAny();
  }

  private static void checkSizes(Problems problems, TracerBuilder b) {
    long events = eventsPerRing(b);
    if (events < LEAST_EVENTS || events * RecordFormat.VALUE_WORDS > MOST_WORDS) {
      problems.add(
          "peakRate × burstWindow / ((spareRings of INDEX + 1) × producers) must give rings of %d to %d events but gives %d; change one of them"
              .formatted(LEAST_EVENTS, MOST_WORDS / RecordFormat.VALUE_WORDS, events));
      return;
    }
    long rings = (long) (b.indexSpareRings + b.detailSpareRings + 2) * b.producers;
    problems.require(
        rings <= MOST_RINGS, "producers × rings", "be " + MOST_RINGS + " or less", rings);
    Sizing sizing = sizing(b);
    int least = b.criticalSpareRings + 2;
    problems.require(
        sizing.allowedRings() >= least,
        "memoryLimit",
        "be " + sizing.bytes(least) + " bytes (" + least + " rings and one for copies) or more",
        b.memoryLimit);
    long heap = Runtime.getRuntime().maxMemory();
    if (sizing.allowedBytes() > heap / 2) {
      problems.add(
          "rings of %d bytes must fit into half of the heap, which has %d bytes; lower memoryLimit, peakRate, burstWindow or producers, or raise -Xmx"
              .formatted(sizing.allowedBytes(), heap));
    }
  }

  /** The events of a burst, evenly on all rings of the index lane; rounded up, never to a power. */
  private static long eventsPerRing(TracerBuilder b) {
    BigInteger burst =
        BigInteger.valueOf(b.peakRate).multiply(BigInteger.valueOf(b.burstWindow.toNanos()));
    BigInteger rings =
        BigInteger.valueOf((b.indexSpareRings + 1L) * b.producers * NANOS_PER_SECOND);
    BigInteger events = burst.add(rings).subtract(BigInteger.ONE).divide(rings);
    return events.min(BigInteger.valueOf(Integer.MAX_VALUE)).longValue();
  }

  /** The sizes that follow from settings that are in range. */
  static Sizing sizing(TracerBuilder b) {
    return new Sizing(
        Math.toIntExact(eventsPerRing(b) * RecordFormat.VALUE_WORDS),
        (b.indexSpareRings + 1) * b.producers,
        (b.detailSpareRings + 1) * b.producers,
        b.criticalSpareRings,
        b.memoryLimit);
  }

  private static void between(
      Problems problems, String setting, long least, long most, long value) {
    problems.require(
        value >= least && value <= most, setting, "be from " + least + " to " + most, value);
  }

  private static void positive(Problems problems, String setting, Duration value) {
    problems.require(
        !value.isNegative() && !value.isZero() && value.compareTo(LONGEST) <= 0,
        setting,
        "be more than zero and a year or less",
        value);
  }

  private static void notNegative(Problems problems, String setting, Duration value) {
    problems.require(
        !value.isNegative() && value.compareTo(LONGEST) <= 0,
        setting,
        "be zero or more and a year or less",
        value);
  }
}
