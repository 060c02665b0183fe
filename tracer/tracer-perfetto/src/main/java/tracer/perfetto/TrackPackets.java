package tracer.perfetto;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import tracer.sink.TraceStart;

/**
 * Encodes what events refer to: the clock, the process, and the tracks of threads. Not safe for use
 * by many threads.
 */
final class TrackPackets {
  /*
   * The clock of the timestamps is one that counts for this sequence alone, so files of several
   * processes, and of several hosts, keep their own after they were joined. It begins an hour before
   * the tracer: no timestamp is below zero, also of what was recorded before the start. The snapshot
   * connects it with the time of day, which is the clock of the trace, and says what the monotonic
   * clock showed at the same moment.
   */
  static final long START = 3_600_000_000_000L;

  static final String LOSS = "data loss";
  private static final String VIRTUAL_THREADS = "virtual threads";

  private final WireWriter out;
  private final TraceStart start;
  private final TraceOrigin origin;

  TrackPackets(WireWriter out, TraceStart start, TraceOrigin origin) {
    this.out = out;
    this.start = start;
    this.origin = origin;
  }

  /** What every chunk begins with. */
  void introduction() {
    clock();
    process();
    named(origin.lossTrack(), origin.processTrack(), LOSS);
  }

  /** A reading of the tracer's clock as a timestamp. */
  long timestamp(long reading) {
    return reading - start.nanoTime() + START;
  }

  private int packet() {
    int packet = out.begin(Fields.PACKET);
    out.field(Fields.SEQUENCE_ID, origin.sequence());
    return packet;
  }

  private void clock() {
    int packet = packet();
    int snapshot = out.begin(Fields.CLOCK_SNAPSHOT);
    clock(Fields.SEQUENCE_CLOCK, START);
    clock(Fields.REALTIME, ChronoUnit.NANOS.between(Instant.EPOCH, start.instant()));
    if (start.nanoTime() >= 0) { // elsewhere than on Linux it may be any number
      clock(Fields.MONOTONIC, start.nanoTime());
    }
    out.field(Fields.PRIMARY_TRACE_CLOCK, Fields.REALTIME);
    out.end(snapshot);
    out.end(packet);
  }

  private void clock(int id, long time) {
    int clock = out.beginSmall(Fields.CLOCKS);
    out.field(Fields.CLOCK_ID, id);
    out.field(Fields.CLOCK_TIMESTAMP, time);
    out.endSmall(clock);
  }

  private void process() {
    int packet = packet();
    int track = out.begin(Fields.TRACK_DESCRIPTOR);
    out.field(Fields.UUID, origin.processTrack());
    int process = out.begin(Fields.PROCESS);
    out.field(Fields.PID, origin.shownPid());
    out.field(Fields.PROCESS_NAME, origin.processName());
    out.field(Fields.PROCESS_LABELS, "host=" + origin.host() + " pid=" + origin.pid());
    out.end(process);
    out.end(track);
    out.end(packet);
  }

  /** The track of a thread of the operating system. */
  void thread(long thread, String name) {
    int packet = packet();
    int track = out.begin(Fields.TRACK_DESCRIPTOR);
    out.field(Fields.UUID, origin.threadTrack(thread));
    out.field(Fields.PARENT_UUID, origin.processTrack());
    int descriptor = out.begin(Fields.THREAD);
    out.field(Fields.PID, origin.shownPid());
    out.field(Fields.TID, thread);
    out.field(Fields.THREAD_NAME, name);
    out.end(descriptor);
    out.end(track);
    out.end(packet);
  }

  /** The track that those of virtual threads are below. */
  void virtualThreads() {
    named(origin.virtualThreadsTrack(), origin.processTrack(), VIRTUAL_THREADS);
  }

  /** The track of a virtual thread. */
  void virtualThread(long thread, String name) {
    named(origin.threadTrack(thread), origin.virtualThreadsTrack(), name);
  }

  /**
   * The track of the asynchronous spans of a kind and an id; a viewer shows all of a kind as one.
   */
  void async(long uuid, String name) {
    named(uuid, origin.processTrack(), name);
  }

  /** The track of a counter. */
  void counter(long uuid, String name, String unit) {
    int packet = packet();
    int track = out.begin(Fields.TRACK_DESCRIPTOR);
    out.field(Fields.UUID, uuid);
    out.field(Fields.PARENT_UUID, origin.processTrack());
    out.field(Fields.TRACK_NAME, name);
    int counter = out.begin(Fields.TRACK_COUNTER);
    if (!unit.isEmpty()) {
      out.field(Fields.UNIT_NAME, unit);
    }
    out.end(counter);
    out.end(track);
    out.end(packet);
  }

  private void named(long uuid, long parent, String name) {
    int packet = packet();
    int track = out.begin(Fields.TRACK_DESCRIPTOR);
    out.field(Fields.UUID, uuid);
    out.field(Fields.PARENT_UUID, parent);
    out.field(Fields.TRACK_NAME, name);
    out.end(track);
    out.end(packet);
  }
}
