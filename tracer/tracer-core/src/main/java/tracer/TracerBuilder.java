package tracer;

import holdfast.time.TimeSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tracer.lane.Sizing;
import tracer.sink.TraceSink;

/** Settings of a {@link Tracer}. Not safe for use by many threads. */
public final class TracerBuilder {
  /** The default of peakRate, in events per second: {@value}. */
  public static final long DEFAULT_PEAK_RATE = 1_000_000;

  /** The default of burstWindow: half a second. */
  public static final Duration DEFAULT_BURST_WINDOW = Duration.ofMillis(500);

  /** The default of spareRings for {@link Lane#INDEX}: {@value}. */
  public static final int DEFAULT_INDEX_SPARE_RINGS = 3;

  /** The default of spareRings for {@link Lane#DETAIL}: {@value}. */
  public static final int DEFAULT_DETAIL_SPARE_RINGS = 2;

  /** The default of spareRings for {@link Lane#CRITICAL}: {@value}. */
  public static final int DEFAULT_CRITICAL_SPARE_RINGS = 2;

  /** The default of highWatermark, in percent: {@value}. */
  public static final int DEFAULT_HIGH_WATERMARK = 85;

  /** The default of lowWatermark, in percent: {@value}. */
  public static final int DEFAULT_LOW_WATERMARK = 50;

  /** The default of memoryLimit, in bytes: {@value}. */
  public static final long DEFAULT_MEMORY_LIMIT = 256L * 1024 * 1024;

  /** The default of largestDetail, in bytes: {@value}. */
  public static final int DEFAULT_LARGEST_DETAIL = 64 * 1024;

  /** The default of flushInterval: a tenth of a second. */
  public static final Duration DEFAULT_FLUSH_INTERVAL = Duration.ofMillis(100);

  /** The default of diskSlowAfter: one second. */
  public static final Duration DEFAULT_DISK_SLOW_AFTER = Duration.ofSeconds(1);

  /** The default of emergencyWait: a fifth of a second. */
  public static final Duration DEFAULT_EMERGENCY_WAIT = Duration.ofMillis(200);

  /** The default of closeTimeout: ten seconds. */
  public static final Duration DEFAULT_CLOSE_TIMEOUT = Duration.ofSeconds(10);

  /** The default of dumpPause: one minute. */
  public static final Duration DEFAULT_DUMP_PAUSE = Duration.ofMinutes(1);

  final TraceSink sink;
  TracerLifecycleListener listener = new TracerLifecycleListener() {};
  TimeSource time = TimeSource.system();
  long peakRate = DEFAULT_PEAK_RATE;
  Duration burstWindow = DEFAULT_BURST_WINDOW;
  int producers = 2 * Runtime.getRuntime().availableProcessors();
  int indexSpareRings = DEFAULT_INDEX_SPARE_RINGS;
  int detailSpareRings = DEFAULT_DETAIL_SPARE_RINGS;
  int criticalSpareRings = DEFAULT_CRITICAL_SPARE_RINGS;
  int highWatermark = DEFAULT_HIGH_WATERMARK;
  int lowWatermark = DEFAULT_LOW_WATERMARK;
  long memoryLimit = DEFAULT_MEMORY_LIMIT;
  int largestDetail = DEFAULT_LARGEST_DETAIL;
  @Nullable Integer submitQueueCapacity;
  Duration flushInterval = DEFAULT_FLUSH_INTERVAL;
  Duration diskSlowAfter = DEFAULT_DISK_SLOW_AFTER;
  Duration emergencyWait = DEFAULT_EMERGENCY_WAIT;
  Duration closeTimeout = DEFAULT_CLOSE_TIMEOUT;
  final Map<TraceEvent, Duration> dumpWhenSlower = new HashMap<>();
  Duration dumpPause = DEFAULT_DUMP_PAUSE;
  @Nullable Duration keepLast;
  @Nullable Long keepLastBytes;
  @Nullable Path emergencyFile;
  @Nullable Duration jvmEvents;
  Exclusions exclusions = Exclusions.none();
  boolean recordsNothing;
  boolean captureCrashes = true;
  boolean registerShutdownHook = true;

  TracerBuilder(TraceSink sink) {
    this.sink =
        Objects.requireNonNull(
            sink,
            "builder needs a TraceSink but was given null; pass one such as"
                + " PerfettoFiles.in(directory)");
  }

  /** A tracer that records nothing, with the least memory. */
  static Tracer noop() {
    TracerBuilder settings = new TracerBuilder(batch -> {});
    settings.recordsNothing = true;
    settings.captureCrashes = false;
    settings.registerShutdownHook = false;
    return settings
        .producers(1)
        .peakRate(64)
        .burstWindow(Duration.ofSeconds(1))
        .spareRings(Lane.INDEX, 1)
        .spareRings(Lane.DETAIL, 1)
        .spareRings(Lane.CRITICAL, 1)
        .largestDetail(1)
        .build();
  }

  /** Sets the rate of events per second that a burst has, Rp; 1 or more. */
  public TracerBuilder peakRate(long eventsPerSecond) {
    this.peakRate = eventsPerSecond;
    return this;
  }

  /** Sets how long a burst at the peak rate lasts that must fit into memory, Tb. */
  public TracerBuilder burstWindow(Duration burstWindow) {
    this.burstWindow = Objects.requireNonNull(burstWindow, "burstWindow");
    return this;
  }

  /** Sets how many threads have rings of their own; twice the processors by default. */
  public TracerBuilder producers(int producers) {
    this.producers = producers;
    return this;
  }

  /** Sets how many spare rings a lane has, K: for each producer; for CRITICAL in all. */
  public TracerBuilder spareRings(Lane lane, int spareRings) {
    switch (Objects.requireNonNull(lane, "lane")) {
      case INDEX -> indexSpareRings = spareRings;
      case DETAIL -> detailSpareRings = spareRings;
      case CRITICAL -> criticalSpareRings = spareRings;
    }
    return this;
  }

  /** Sets the percentage of waiting rings at which pressure begins. */
  public TracerBuilder highWatermark(int percent) {
    this.highWatermark = percent;
    return this;
  }

  /** Sets the percentage of waiting rings at which pressure ends. */
  public TracerBuilder lowWatermark(int percent) {
    this.lowWatermark = percent;
    return this;
  }

  /**
   * Sets how many bytes all rings may have together, 256 MiB by default, and never more than a
   * third of the heap. Rings beyond it are refused, which is logged at the start.
   */
  public TracerBuilder memoryLimit(long bytes) {
    this.memoryLimit = bytes;
    return this;
  }

  /**
   * Sets how many bytes an event of {@link Lane#DETAIL} may have, the same whatever the number of
   * processors; 64 KiB by default. A larger one is dropped. Each ring has room for it: where the
   * rings of a burst are smaller, as with many producers, they are larger than the burst needs.
   *
   * @param bytes 1 or more
   */
  public TracerBuilder largestDetail(int bytes) {
    this.largestDetail = bytes;
    return this;
  }

  /** Sets how many sealed rings may wait for the sink; all spare rings by default. */
  public TracerBuilder submitQueueCapacity(int rings) {
    this.submitQueueCapacity = rings;
    return this;
  }

  /** Sets after how long events in rings that are not full are written. */
  public TracerBuilder flushInterval(Duration flushInterval) {
    this.flushInterval = Objects.requireNonNull(flushInterval, "flushInterval");
    return this;
  }

  /** Sets how long one call of the sink may take before the disk counts as slow; 1 s by default. */
  public TracerBuilder diskSlowAfter(Duration diskSlowAfter) {
    this.diskSlowAfter = Objects.requireNonNull(diskSlowAfter, "diskSlowAfter");
    return this;
  }

  /** Sets how long recording a critical event may wait for the emergency file. */
  public TracerBuilder emergencyWait(Duration emergencyWait) {
    this.emergencyWait = Objects.requireNonNull(emergencyWait, "emergencyWait");
    return this;
  }

  /** Sets the emergency file; by default one with the process id in the temporary directory. */
  public TracerBuilder emergencyFile(Path emergencyFile) {
    this.emergencyFile = Objects.requireNonNull(emergencyFile, "emergencyFile");
    return this;
  }

  /** Sets how long {@link Tracer#close} writes what is left. */
  public TracerBuilder closeTimeout(Duration closeTimeout) {
    this.closeTimeout = Objects.requireNonNull(closeTimeout, "closeTimeout");
    return this;
  }

  /**
   * Makes the tracer a flight recorder: events stay in memory, newer ones replace the oldest, and
   * nothing is written until {@link Tracer#dump(Path, String)}, a slow span, an uncaught exception
   * or the close asks for it. A dump has the events of that duration, as far as they are in memory:
   * the rings of a burst, unless {@link #keepLast(long)} is set, too.
   *
   * @param duration how old events may be that are dumped, more than zero
   */
  public TracerBuilder keepLast(Duration duration) {
    this.keepLast = Objects.requireNonNull(duration, "keepLast");
    return this;
  }

  /**
   * Makes the tracer a flight recorder, as {@link #keepLast(Duration)} does, and sets how much
   * memory all its rings have together; {@code peakRate}, {@code burstWindow} and {@code
   * memoryLimit} then count no more.
   *
   * @param bytes the memory, a third of the heap or less
   */
  public TracerBuilder keepLast(long bytes) {
    this.keepLastBytes = bytes;
    return this;
  }

  /**
   * Has a flight recorder dump when a span of that kind, begun and ended by one thread, took
   * longer; replaces what was set for that kind before.
   *
   * @param span the kind of the span
   * @param than how long it may take, more than zero
   */
  public TracerBuilder dumpWhenSlower(TraceEvent span, Duration than) {
    dumpWhenSlower.put(Objects.requireNonNull(span, "span"), Objects.requireNonNull(than, "than"));
    return this;
  }

  /**
   * Sets how long a flight recorder that has dumped by itself does not do so again; 1 minute by
   * default. Dumps that are asked for do not wait.
   */
  public TracerBuilder dumpPause(Duration dumpPause) {
    this.dumpPause = Objects.requireNonNull(dumpPause, "dumpPause");
    return this;
  }

  boolean keeps() {
    return keepLast != null || keepLastBytes != null;
  }

  /** Sets which kinds of events are not recorded; none by default. May be changed later. */
  public TracerBuilder exclude(Exclusions exclusions) {
    this.exclusions = Objects.requireNonNull(exclusions, "exclusions");
    return this;
  }

  /**
   * Records garbage collections, safepoints and parked threads that took at least that long as
   * asynchronous spans {@code jvm.gc}, {@code jvm.safepoint} and {@code jvm.park}; none by default.
   * The JVM reports them through its flight recorder, about a second later. It needs the module
   * {@code jdk.jfr}; without it a warning is logged and the tracer works as usual.
   *
   * @param atLeast how long something must have taken to be recorded; zero records all
   */
  public TracerBuilder jvmEvents(Duration atLeast) {
    this.jvmEvents = Objects.requireNonNull(atLeast, "jvmEvents");
    return this;
  }

  /** Sets whether uncaught exceptions are recorded on the critical lane; true by default. */
  public TracerBuilder captureCrashes(boolean captureCrashes) {
    this.captureCrashes = captureCrashes;
    return this;
  }

  /** Sets whether the end of the JVM is recorded and closes the tracer; true by default. */
  public TracerBuilder registerShutdownHook(boolean registerShutdownHook) {
    this.registerShutdownHook = registerShutdownHook;
    return this;
  }

  /** Sets who is told of turning points; replaces the one set before. */
  public TracerBuilder lifecycleListener(TracerLifecycleListener listener) {
    this.listener = Objects.requireNonNull(listener, "listener");
    return this;
  }

  /** Sets the clock; replaces that of the system. */
  public TracerBuilder time(TimeSource time) {
    this.time = Objects.requireNonNull(time, "time");
    return this;
  }

  /** The settings and what follows from them, for the log. */
  String toLine(Sizing sizing) {
    return "peakRate="
        + peakRate
        + " burstWindow="
        + burstWindow
        + " producers="
        + producers
        + " rings="
        + sizing.indexRings()
        + "+"
        + sizing.detailRings()
        + "+"
        + sizing.criticalRings()
        + " ringBytes="
        + sizing.ringBytes()
        + " memoryBytes="
        + sizing.allowedBytes()
        + " highWatermark="
        + highWatermark
        + " lowWatermark="
        + lowWatermark
        + (keeps() ? " flightRecorder=true" : "")
        + (jvmEvents == null ? "" : " jvmEvents=" + jvmEvents);
  }

  /**
   * The tracer, not started.
   *
   * @return a tracer that records at once, and writes when it is started
   * @throws IllegalArgumentException if a setting is out of range, naming all of them
   */
  public Tracer build() {
    SettingsCheck.run(this);
    return new Tracer(this);
  }
}
