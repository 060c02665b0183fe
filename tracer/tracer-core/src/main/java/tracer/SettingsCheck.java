package tracer;

import holdfast.problems.Problems;
import java.math.BigInteger;
import java.time.Duration;
import tracer.lane.Sizing;
import tracer.ring.RecordFormat;
import tracer.ring.Ring;

/** The rules for the settings of a tracer, and the sizes that follow from them. Stateless. */
final class SettingsCheck {
  private static final int MOST_PRODUCERS = 1024;
  private static final int MOST_SPARES = 1024;
  private static final int MOST_RINGS = 1 << 18;
  private static final long MOST_RATE = 1_000_000_000_000L;
  private static final Duration LONGEST = Duration.ofDays(365);
  private static final int LEAST_EVENTS = 8;
  private static final int MOST_WORDS = 1 << 23; // 64 MiB: a message of one event stays encodable
  private static final int MOST_DETAIL = 32 * 1024 * 1024;
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
    between(problems, "largestDetail", 1, MOST_DETAIL, b.largestDetail);
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
    notNegative(problems, "dumpPause", b.dumpPause);
    if (b.jvmEvents != null) {
      notNegative(problems, "jvmEvents", b.jvmEvents);
    }
    b.dumpWhenSlower.forEach((span, than) -> positive(problems, "dumpWhenSlower of " + span, than));
    if (b.keeps()) {
      checkFlightRecorder(problems, b);
    } else if (!b.dumpWhenSlower.isEmpty()) {
      problems.add(
          "dumpWhenSlower needs a flight recorder but was set for "
              + b.dumpWhenSlower.keySet()
              + " without keepLast; set keepLast, too");
    }
    if (problems.found().isEmpty()) {
      checkSizes(problems, b);
    }
    problems.throwIfAny();
  }

  private static void checkFlightRecorder(Problems problems, TracerBuilder b) {
    if (b.keepLast != null) {
      positive(problems, "keepLast", b.keepLast);
    }
    if (b.keepLastBytes != null) {
      between(problems, "keepLast", 1, thirdOfTheHeap(), b.keepLastBytes);
    }
    if (b.submitQueueCapacity != null) {
      problems.add(
          "submitQueueCapacity must not be set with keepLast but was "
              + b.submitQueueCapacity
              + "; a flight recorder keeps all its rings, so remove one of them");
    }
    try {
      b.sink.newDumpFile();
    } catch (UnsupportedOperationException e) {
      problems.add("keepLast needs a sink that can write dumps, but " + e.getMessage());
    }
  }

  private static void checkSizes(Problems problems, TracerBuilder b) {
    long events = eventsPerRing(b);
    if (events > MOST_WORDS / RecordFormat.VALUE_WORDS) {
      String sizes =
          b.keepLastBytes != null
              ? "keepLast / (" + rings(b) + " rings and one for copies)"
              : "peakRate × burstWindow / ((spareRings of INDEX + 1) × producers)";
      problems.add(
          "%s must give rings of %d events or less but gives %d; change one of them"
              .formatted(sizes, MOST_WORDS / RecordFormat.VALUE_WORDS, events));
      return;
    }
    problems.require(
        rings(b) <= MOST_RINGS, "producers × rings", "be " + MOST_RINGS + " or less", rings(b));
    checkMemory(problems, b);
  }

  private static void checkMemory(Problems problems, TracerBuilder b) {
    Sizing sizing = sizing(b);
    int least = b.criticalSpareRings + 2;
    problems.require(
        memoryLimit(b) >= sizing.bytes(least),
        b.keepLastBytes != null ? "keepLast" : "memoryLimit",
        "be " + sizing.bytes(least) + " bytes (" + least + " rings and one for copies) or more",
        memoryLimit(b));
    if (memoryLimit(b) >= sizing.bytes(least) && sizing.allowedRings() < least) {
      problems.add(
          "the %d rings that are needed at least, with %d bytes, must fit into a third of the heap, which has %d bytes; lower peakRate, burstWindow or largestDetail, or raise -Xmx"
              .formatted(least, sizing.bytes(least), Runtime.getRuntime().maxMemory()));
    }
  }

  /** The events of a burst, evenly on all rings of the index lane; rounded up, never to a power. */
  private static long eventsPerRing(TracerBuilder b) {
    if (b.keepLastBytes != null) {
      long words = b.keepLastBytes / Long.BYTES / (rings(b) + 1);
      return Math.max(0, words - Ring.START) / RecordFormat.VALUE_WORDS;
    }
    BigInteger burst =
        BigInteger.valueOf(b.peakRate).multiply(BigInteger.valueOf(b.burstWindow.toNanos()));
    BigInteger rings =
        BigInteger.valueOf((b.indexSpareRings + 1L) * b.producers * NANOS_PER_SECOND);
    BigInteger events = burst.add(rings).subtract(BigInteger.ONE).divide(rings);
    return events.min(BigInteger.valueOf(Integer.MAX_VALUE)).longValue();
  }

  /** A ring for fewer events would have no room for the largest with bytes. */
  private static long leastEvents(TracerBuilder b) {
    long words = RecordFormat.wordsFor(b.largestDetail) + RecordFormat.VALUE_WORDS - 1;
    return Math.max(LEAST_EVENTS, words / RecordFormat.VALUE_WORDS);
  }

  /** The sizes that follow from settings that are in range. */
  static Sizing sizing(TracerBuilder b) {
    return new Sizing(
        Math.toIntExact(Math.max(eventsPerRing(b), leastEvents(b)) * RecordFormat.VALUE_WORDS),
        b.largestDetail,
        (b.indexSpareRings + 1) * b.producers,
        (b.detailSpareRings + 1) * b.producers,
        b.criticalSpareRings,
        Math.min(memoryLimit(b), thirdOfTheHeap()));
  }

  private static long memoryLimit(TracerBuilder b) {
    return b.keepLastBytes == null ? b.memoryLimit : b.keepLastBytes;
  }

  private static long thirdOfTheHeap() {
    return Runtime.getRuntime().maxMemory() / 3;
  }

  private static long rings(TracerBuilder b) {
    return (long) (b.indexSpareRings + b.detailSpareRings + 2) * b.producers + b.criticalSpareRings;
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
