package tracer;

import holdfast.ledger.LedgerSnapshot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tracer.drain.Drain;
import tracer.drain.EmergencyFile;
import tracer.drain.EmergencySave;
import tracer.drain.EncoderLatency;
import tracer.drain.PersistedCounters;
import tracer.drain.Rates;
import tracer.lane.Collector;
import tracer.lane.Drops;
import tracer.lane.Pressure;
import tracer.lane.Producers;
import tracer.lane.RingAllocator;
import tracer.lane.RingPool;
import tracer.lane.SinkWatch;
import tracer.lane.Sizing;
import tracer.lane.SlowSpans;
import tracer.sink.TraceSink;

/** The parts of a tracer, put together. Safe for use by many threads. */
final class TracerParts {
  final Sizing sizing;
  final Drops drops = new Drops();
  final PersistedCounters persisted = new PersistedCounters();
  final RingAllocator allocator;
  final Producers producers;
  final EmergencyFile emergency;
  final EmergencySave emergencySave;
  final Drain drain;
  final Guard guard;
  private final TraceSink sink;

  TracerParts(TracerBuilder settings, SlowSpans.Listener slow) {
    this.sink = settings.sink;
    this.sizing = SettingsCheck.sizing(settings);
    SinkWatch watch =
        new SinkWatch(settings.diskSlowAfter, sizing.timeToFillARing(settings.peakRate));
    this.allocator =
        new RingAllocator(
            new RingPool(sizing),
            limits(settings),
            drops,
            watch,
            this::wakeDrain,
            this::pressureChanged);
    this.producers =
        new Producers(
            settings.producers,
            stripes(settings),
            allocator,
            settings.time,
            new SlowSpans(settings.dumpWhenSlower, slow));
    this.emergency = new EmergencyFile(emergencyPath(settings));
    this.emergencySave =
        new EmergencySave(emergency, persisted, drops, settings.listener, settings.time);
    this.drain =
        new Drain(
            new Collector(allocator, producers),
            sink,
            drops,
            watch,
            persisted,
            emergencySave,
            settings.listener,
            settings.time,
            settings.flushInterval,
            settings.emergencyWait,
            settings.keeps() ? new Drain.Keep(settings.keepLast) : null);
    this.guard = new Guard(this, settings.listener, settings.time);
  }

  private static RingAllocator.Limits limits(TracerBuilder settings) {
    Integer capacity = settings.submitQueueCapacity;
    int spares = (settings.indexSpareRings + settings.detailSpareRings) * settings.producers;
    return new RingAllocator.Limits(
        capacity == null ? spares : capacity,
        settings.highWatermark,
        settings.lowWatermark,
        settings.keeps());
  }

  /** As many as processors, but fewer than the spare rings: each writer must find a ring. */
  private static int stripes(TracerBuilder settings) {
    int spares = Math.min(settings.indexSpareRings, settings.detailSpareRings);
    int most =
        Math.min(Runtime.getRuntime().availableProcessors(), spares * settings.producers - 1);
    return Integer.highestOneBit(Math.max(1, most));
  }

  private static Path emergencyPath(TracerBuilder settings) {
    Path set = settings.emergencyFile;
    return set != null
        ? set
        : Path.of(
            System.getProperty("java.io.tmpdir"),
            "holdfast-tracer-emergency-" + ProcessHandle.current().pid() + ".log");
  }

  private void wakeDrain() {
    drain.wakeUp();
  }

  private void pressureChanged() {
    drain.wakeUp();
    guard.wakeUp();
  }

  long recorded() {
    long sum = 0;
    for (Lane lane : Lane.values()) {
      sum += producers.recorded(lane);
    }
    return sum;
  }

  Rates.Counts counts() {
    long dropped = 0;
    for (Lane lane : Lane.values()) {
      dropped += drops.of(lane);
    }
    return new Rates.Counts(recorded(), dropped, sink.bytesWritten());
  }

  LedgerSnapshot ledger() {
    return new LedgerReading(this).read();
  }

  TracerMetrics metrics() {
    List<LaneMetrics> lanes = new ArrayList<>();
    for (Lane lane : Lane.values()) {
      lanes.add(metrics(lane));
    }
    EncoderLatency latency = drain.latency();
    Rates.PerSecond rates = guard.rates();
    return new TracerMetrics(
        lanes,
        rates.events(),
        rates.peakEvents(),
        rates.drops(),
        latency.percentile(50),
        latency.percentile(95),
        latency.percentile(99),
        rates.bytes(),
        allocator.queued());
  }

  private LaneMetrics metrics(Lane lane) {
    Map<DropReason, Long> byReason = new LinkedHashMap<>();
    for (DropReason reason : DropReason.values()) {
      byReason.put(reason, drops.of(lane, reason));
    }
    Pressure pressure = allocator.pressure(lane);
    long safe = persisted.of(lane);
    int free = allocator.freeRings(lane);
    return new LaneMetrics(
        lane,
        producers.recorded(lane),
        safe,
        byReason.values().stream().mapToLong(Long::longValue).sum(),
        byReason,
        free,
        Math.min(free, pressure.leastFree()), // it is not compared while rings are taken
        pressure.exhaustedCount(),
        pressure.highCrossings(),
        pressure.lowCrossings(),
        allocator.fill(lane));
  }
}
