package tracer.spring.boot;

import holdfast.spring.boot.PropertyChecks;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.unit.DataSize;
import tracer.Exclusions;
import tracer.TraceEvent;
import tracer.Tracer;
import tracer.TracerBuilder;
import tracer.perfetto.PerfettoFiles;
import tracer.sink.TraceSink;

/**
 * Turns properties into the settings of a tracer and its files, or names all that is wrong with
 * them. Stateless.
 */
final class TracerSettings {
  private static final int MOST_NAMES = TraceEvent.MOST_NAMES / 2;

  private TracerSettings() {}

  /**
   * The files that the properties ask for.
   *
   * @param application the name of the application, if it has one
   * @throws holdfast.spring.boot.StartException if any property is out of range, naming all of them
   */
  static PerfettoFiles files(TracerProperties properties, @Nullable String application) {
    check(properties);
    PerfettoFiles files =
        PerfettoFiles.in(Path.of(String.valueOf(properties.directory())))
            .segmentBytes(properties.segmentBytes().toBytes())
            .totalBytes(properties.totalBytes().toBytes())
            .forced(properties.forced());
    String name = properties.processName() == null ? application : properties.processName();
    if (name != null && !name.isBlank()) {
      files.processName(name);
    }
    return files;
  }

  /**
   * A builder with all properties applied.
   *
   * @throws holdfast.spring.boot.StartException if any property is out of range, naming all of them
   */
  static TracerBuilder builder(TracerProperties properties, TraceSink sink) {
    check(properties);
    TracerBuilder builder =
        Tracer.builder(sink)
            .registerShutdownHook(false) // TracerShutdown closes it, when the beans are done
            .peakRate(properties.peakRate())
            .burstWindow(properties.burstWindow())
            .largestDetail(Math.toIntExact(properties.largestDetail().toBytes()))
            .memoryLimit(properties.memoryLimit().toBytes())
            .flushInterval(properties.flushInterval())
            .diskSlowAfter(properties.diskSlowAfter())
            .emergencyWait(properties.emergencyWait())
            .closeTimeout(properties.closeTimeout())
            .captureCrashes(properties.captureCrashes())
            .dumpPause(properties.dumpPause())
            .exclude(exclusions(properties.exclude()));
    Integer producers = properties.producers();
    if (producers != null) {
      builder.producers(producers);
    }
    String emergencyFile = properties.emergencyFile();
    if (emergencyFile != null) {
      builder.emergencyFile(Path.of(emergencyFile));
    }
    Duration keepLast = properties.keepLast();
    if (keepLast != null) {
      builder.keepLast(keepLast);
    }
    Duration jvmEvents = properties.jvmEvents();
    if (jvmEvents != null) {
      builder.jvmEvents(jvmEvents);
    }
    DataSize keepLastBytes = properties.keepLastBytes();
    if (keepLastBytes != null) {
      builder.keepLast(keepLastBytes.toBytes());
    }
    properties
        .dumpWhenSlower()
        .forEach(
            (span, than) ->
                builder.dumpWhenSlower(TraceEvent.named(span), DurationStyle.detectAndParse(than)));
    return builder;
  }

  private static Exclusions exclusions(TracerProperties.Exclude exclude) {
    Exclusions exclusions = Exclusions.none();
    for (String category : exclude.categories()) {
      exclusions = exclusions.category(category);
    }
    for (String name : exclude.names()) {
      exclusions = exclusions.name(name);
    }
    return exclusions;
  }

  private static void check(TracerProperties p) {
    PropertyChecks checks = new PropertyChecks("the tracer", "tracer");
    path(checks, "directory", p.directory());
    path(checks, "emergency-file", p.emergencyFile());
    String name = p.processName();
    checks.require(name == null || !name.isBlank(), "process-name", "not be blank", name);
    checks.atLeast("peak-rate", 1, p.peakRate());
    checks.positive("burst-window", p.burstWindow());
    Integer producers = p.producers();
    if (producers != null) {
      checks.atLeast("producers", 1, producers);
    }
    long largestDetail = p.largestDetail().toBytes();
    checks.require(
        largestDetail >= 1 && largestDetail <= Integer.MAX_VALUE,
        "largest-detail",
        "be from 1 byte to 2 GB",
        p.largestDetail());
    atLeastOneByte(checks, "memory-limit", p.memoryLimit());
    checks.positive("flush-interval", p.flushInterval());
    checks.positive("disk-slow-after", p.diskSlowAfter());
    checks.notNegative("emergency-wait", p.emergencyWait());
    checks.notNegative("close-timeout", p.closeTimeout());
    atLeastOneByte(checks, "segment-bytes", p.segmentBytes());
    atLeastOneByte(checks, "total-bytes", p.totalBytes());
    checkFlightRecorder(checks, p);
    Duration jvmEvents = p.jvmEvents();
    if (jvmEvents != null) {
      checks.notNegative("jvm-events", jvmEvents);
    }
    checks.require(
        p.exclude().categories().stream().noneMatch(String::isBlank),
        "exclude.categories",
        "have no blank name",
        p.exclude().categories());
    checks.require(
        p.exclude().names().stream().noneMatch(String::isBlank),
        "exclude.names",
        "have no blank name",
        p.exclude().names());
    int names = p.observations().maxNames();
    checks.require(
        names >= 1 && names <= MOST_NAMES,
        "observations.max-names",
        "be from 1 to " + MOST_NAMES,
        names);
    checks.throwIfAny();
  }

  private static void checkFlightRecorder(PropertyChecks checks, TracerProperties p) {
    Duration keepLast = p.keepLast();
    if (keepLast != null) {
      checks.positive("keep-last", keepLast);
    }
    DataSize keepLastBytes = p.keepLastBytes();
    if (keepLastBytes != null) {
      atLeastOneByte(checks, "keep-last-bytes", keepLastBytes);
    }
    checks.notNegative("dump-pause", p.dumpPause());
    p.dumpWhenSlower().forEach((span, than) -> checkSlower(checks, span, than));
  }

  private static void checkSlower(PropertyChecks checks, String span, String than) {
    String key = "dump-when-slower." + span;
    checks.accepted(key, () -> TraceEvent.named(span));
    try {
      checks.positive(key, DurationStyle.detectAndParse(than));
    } catch (IllegalArgumentException e) {
      checks.require(false, key, "be a duration as 2s or 300ms", than);
    }
  }

  private static void path(PropertyChecks checks, String key, @Nullable String text) {
    checks.require(text == null || isPath(text), key, "be a path", text);
  }

  private static boolean isPath(String text) {
    try {
      return !text.isBlank() && !Path.of(text).toString().isEmpty();
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static void atLeastOneByte(PropertyChecks checks, String key, DataSize size) {
    checks.require(size.toBytes() >= 1, key, "be 1 byte or more", size);
  }
}
