package tracer.spring.boot;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What can be set under {@code tracer}. The descriptions and defaults are what editors show.
 * Immutable.
 *
 * @param enabled Whether anything is traced; otherwise the Tracer bean records nothing.
 * @param directory The directory for trace files; there is no tracer unless it is set or a
 *     TraceSink bean is there.
 * @param processName The name of the process in trace files; the name of the application
 *     (spring.application.name) unless set.
 * @param peakRate How many events a second a burst has that must fit into memory.
 * @param burstWindow How long a burst lasts that must fit into memory.
 * @param producers How many threads have memory of their own; twice the processors unless set.
 * @param largestDetail How large an event with bytes may be; a larger one is dropped.
 * @param memoryLimit How much memory events may take, and never more than a third of the heap.
 * @param flushInterval After how long events are written that do not fill their memory.
 * @param diskSlowAfter How long one write may take before the disk counts as slow.
 * @param emergencyFile The file for critical events that find no memory; one in the temporary
 *     directory unless set.
 * @param emergencyWait How long recording a critical event may wait for the emergency file.
 * @param closeTimeout How long closing writes what is left, and a dump that is asked for may take.
 * @param captureCrashes Whether uncaught exceptions are recorded.
 * @param segmentBytes How large a trace file may grow.
 * @param totalBytes How large all trace files may be together; the oldest are deleted.
 * @param forced Whether each flush forces the file to the disk.
 * @param keepLast How old events may be that a flight recorder dumps; setting it makes the tracer
 *     one.
 * @param keepLastBytes How much memory the events of a flight recorder have; setting it makes the
 *     tracer one.
 * @param dumpWhenSlower How long spans may take before a flight recorder dumps, by their name; a
 *     duration as 2s.
 * @param dumpPause How long a flight recorder that has dumped by itself does not do so again.
 * @param jvmEvents How long garbage collections, safepoints and parked threads must have taken to
 *     be recorded as spans; none are unless set.
 * @param exclude what is not recorded
 * @param observations spans of observations
 * @param metrics meters
 */
// Keys with dots are bound to texts only, so dumpWhenSlower has no durations.
@ConfigurationProperties("tracer")
record TracerProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable String directory,
    @Nullable String processName,
    @DefaultValue("1000000") long peakRate,
    @DefaultValue("500ms") Duration burstWindow,
    @Nullable Integer producers,
    @DefaultValue("64KB") DataSize largestDetail,
    @DefaultValue("256MB") DataSize memoryLimit,
    @DefaultValue("100ms") Duration flushInterval,
    @DefaultValue("1s") Duration diskSlowAfter,
    @Nullable String emergencyFile,
    @DefaultValue("200ms") Duration emergencyWait,
    @DefaultValue("10s") Duration closeTimeout,
    @DefaultValue("true") boolean captureCrashes,
    @DefaultValue("64MB") DataSize segmentBytes,
    @DefaultValue("1GB") DataSize totalBytes,
    @DefaultValue("false") boolean forced,
    @Nullable Duration keepLast,
    @Nullable DataSize keepLastBytes,
    @DefaultValue Map<String, String> dumpWhenSlower,
    @DefaultValue("1m") Duration dumpPause,
    @Nullable Duration jvmEvents,
    @DefaultValue Exclude exclude,
    @DefaultValue Observations observations,
    @DefaultValue Metrics metrics) {

  /**
   * What can be set under {@code tracer.exclude}. Immutable.
   *
   * @param categories Categories of events that are not recorded: the part of their names before
   *     the first dot.
   * @param names Names of events that are not recorded.
   */
  record Exclude(@DefaultValue List<String> categories, @DefaultValue List<String> names) {}

  /**
   * What can be set under {@code tracer.observations}. Immutable.
   *
   * @param enabled Whether a span is recorded of every Micrometer observation.
   * @param maxNames How many names observations can have; further ones are recorded as
   *     observation.other.
   */
  record Observations(@DefaultValue("true") boolean enabled, @DefaultValue("1000") int maxNames) {}

  /**
   * What can be set under {@code tracer.metrics}. Immutable.
   *
   * @param enabled Whether there are meters, where Micrometer is.
   */
  record Metrics(@DefaultValue("true") boolean enabled) {}
}
