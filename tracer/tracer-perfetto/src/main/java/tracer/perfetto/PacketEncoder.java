package tracer.perfetto;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tracer.Lane;
import tracer.TraceEvent;
import tracer.sink.DataLoss;
import tracer.sink.TraceBatch;
import tracer.sink.TraceStart;

/** Encodes batches and marks as chunks. Not safe for use by many threads. */
final class PacketEncoder {
  /**
   * The trace's clock begins an hour before the tracer: what was recorded before that is not lost.
   */
  static final long START = 3_600_000_000_000L;

  static final String LOSS = "data loss";
  static final List<String> ANNOTATIONS =
      List.of("a", "b", "c", "text", "hex", "count", "reason", "lane", "nanos");

  /** The number of the sequence that all packets are of. */
  static final int SEQUENCE = 1;

  private static final int MOST_THREAD_NAMES = 4096;
  private static final int CHUNK_BYTES = 256 * 1024;
  private static final long PROCESS_TRACK = 1;
  private static final long LOSS_TRACK = 2;
  private static final long FIRST_THREAD_TRACK = 16;
  private static final int LOSS_NAME = TraceEvent.MOST_NAMES + 1;
  private static final List<Lane> LANES = List.of(Lane.values());

  private final WireWriter out;
  private final ValuePackets values;
  private final TraceStart start;
  private final long pid = ProcessHandle.current().pid();
  private final BitSet names = new BitSet();
  private final Set<Long> threads = new HashSet<>();
  private final Map<Long, String> threadNames =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, String> eldest) {
          return size() > MOST_THREAD_NAMES;
        }
      };
  private long lastThread;
  private int begun;

  PacketEncoder(WireWriter out, TraceStart start) {
    this.out = out;
    this.values = new ValuePackets(out);
    this.start = start;
  }

  /** All events of a batch, in one or more chunks. */
  void events(TraceBatch batch) {
    begin(false);
    int category = category(batch.lane());
    while (batch.next()) {
      if (out.size() - begun > CHUNK_BYTES) {
        Chunk.end(out, begun);
        begin(false);
      }
      introduce(batch);
      if (batch.values() > 0) {
        values.write(
            batch, traceTime(batch.time()), FIRST_THREAD_TRACK + batch.threadId(), category);
      } else {
        bytes(batch, category);
      }
    }
    Chunk.end(out, begun);
  }

  /** The mark of lost events, as a chunk. */
  void loss(DataLoss loss) {
    begin(true);
    name(LOSS_NAME, LOSS);
    int packet = out.begin(Fields.PACKET);
    packetHead(loss.from());
    int event = out.begin(Fields.TRACK_EVENT);
    eventHead(LOSS_NAME, LOSS_TRACK, category(loss.lane()));
    number("count", loss.count());
    text("reason", loss.reason().code());
    text("lane", loss.lane().name());
    number("nanos", loss.to() - loss.from());
    out.end(event);
    out.end(packet);
    Chunk.end(out, begun);
  }

  /**
   * A chunk that begins with all that others do not need to have told.
   *
   * @param afterLoss whether events were lost before it; said where the state is cleared, since a
   *     viewer skips what needs a state after a loss
   */
  private void begin(boolean afterLoss) {
    begun = out.size();
    names.clear();
    threads.clear();
    lastThread = -1;
    Chunk.begin(out);
    clock();
    track(PROCESS_TRACK, 0, "", Fields.PROCESS, -1);
    track(LOSS_TRACK, PROCESS_TRACK, LOSS, 0, -1);
    int packet = out.begin(Fields.PACKET);
    out.field(Fields.SEQUENCE_ID, SEQUENCE);
    out.field(Fields.SEQUENCE_FLAGS, Fields.STATE_CLEARED);
    if (afterLoss) {
      out.field(Fields.PREVIOUS_PACKET_DROPPED, 1);
    }
    int interned = out.begin(Fields.INTERNED_DATA);
    for (Lane lane : LANES) {
      interned(Fields.EVENT_CATEGORIES, category(lane), lane.name());
    }
    for (int i = 0; i < ANNOTATIONS.size(); i++) {
      interned(Fields.ANNOTATION_NAMES, i + 1, ANNOTATIONS.get(i));
    }
    out.end(interned);
    out.end(packet);
  }

  private void clock() {
    int packet = out.begin(Fields.PACKET);
    out.field(Fields.SEQUENCE_ID, SEQUENCE);
    int snapshot = out.begin(Fields.CLOCK_SNAPSHOT);
    clock(Fields.BOOTTIME, START);
    clock(Fields.REALTIME, ChronoUnit.NANOS.between(Instant.EPOCH, start.instant()));
    out.end(snapshot);
    out.end(packet);
  }

  private void clock(int id, long time) {
    int clock = out.beginSmall(Fields.CLOCKS);
    out.field(Fields.CLOCK_ID, id);
    out.field(Fields.CLOCK_TIMESTAMP, time);
    out.endSmall(clock);
  }

  private void track(long uuid, long parent, String name, int kind, long thread) {
    int packet = out.begin(Fields.PACKET);
    out.field(Fields.SEQUENCE_ID, SEQUENCE);
    int track = out.begin(Fields.TRACK_DESCRIPTOR);
    out.field(Fields.UUID, uuid);
    if (parent > 0) {
      out.field(Fields.PARENT_UUID, parent);
    }
    if (kind == 0) {
      out.field(Fields.TRACK_NAME, name);
    } else {
      int owner = out.begin(kind);
      out.field(Fields.PID, pid);
      if (kind == Fields.THREAD) {
        out.field(Fields.TID, thread);
        out.field(Fields.THREAD_NAME, name);
      } else {
        out.field(Fields.PROCESS_NAME, "java");
      }
      out.end(owner);
    }
    out.end(track);
    out.end(packet);
  }

  private void introduce(TraceBatch batch) {
    int event = batch.eventId();
    if (!names.get(event)) {
      names.set(event);
      name(event, batch.event().name());
    }
    long thread = batch.threadId();
    if (thread == lastThread) { // as nearly always
      return;
    }
    lastThread = thread;
    if (threads.add(thread)) {
      String name = threadName(thread, batch.threadName());
      track(FIRST_THREAD_TRACK + thread, PROCESS_TRACK, name, Fields.THREAD, thread);
    }
  }

  /** Batches of several threads do not know their names; others may have told them. */
  private String threadName(long thread, String told) {
    if (!told.isEmpty()) {
      threadNames.put(thread, told);
      return told;
    }
    return threadNames.getOrDefault(thread, "thread " + thread);
  }

  private void name(int iid, String name) {
    int packet = out.begin(Fields.PACKET);
    out.field(Fields.SEQUENCE_ID, SEQUENCE);
    int data = out.begin(Fields.INTERNED_DATA);
    interned(Fields.EVENT_NAMES, iid, name);
    out.end(data);
    out.end(packet);
  }

  private void interned(int field, long iid, String name) {
    int entry = out.begin(field);
    out.field(Fields.IID, iid);
    out.field(Fields.NAME, name);
    out.end(entry);
  }

  private void bytes(TraceBatch batch, int category) {
    byte[] content = new byte[batch.length()];
    batch.copyBytes(content, 0);
    int packet = out.begin(Fields.PACKET);
    packetHead(batch.time());
    int event = out.begin(Fields.TRACK_EVENT);
    eventHead(batch.eventId(), FIRST_THREAD_TRACK + batch.threadId(), category);
    if (isText(content)) {
      annotation("text", content);
    } else {
      text("hex", HexFormat.of().formatHex(content));
    }
    out.end(event);
    out.end(packet);
  }

  private static boolean isText(byte[] content) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private long traceTime(long time) {
    return time - start.nanoTime() + START;
  }

  private void packetHead(long time) {
    out.field(Fields.TIMESTAMP, traceTime(time));
    out.field(Fields.SEQUENCE_ID, SEQUENCE);
    out.field(Fields.SEQUENCE_FLAGS, Fields.NEEDS_STATE);
  }

  private void eventHead(long name, long track, int category) {
    out.field(Fields.CATEGORY_IIDS, category);
    out.field(Fields.TYPE, Fields.INSTANT);
    out.field(Fields.NAME_IID, name);
    out.field(Fields.TRACK_UUID, track);
  }

  private void number(String name, long value) {
    int annotation = out.beginSmall(Fields.DEBUG_ANNOTATIONS);
    out.field(Fields.ANNOTATION_NAME_IID, ANNOTATIONS.indexOf(name) + 1);
    out.field(Fields.INT_VALUE, value);
    out.endSmall(annotation);
  }

  private void text(String name, String value) {
    annotation(name, value.getBytes(StandardCharsets.UTF_8));
  }

  private void annotation(String name, byte[] value) {
    int annotation = out.begin(Fields.DEBUG_ANNOTATIONS);
    out.field(Fields.ANNOTATION_NAME_IID, ANNOTATIONS.indexOf(name) + 1);
    out.field(Fields.STRING_VALUE, value);
    out.end(annotation);
  }

  /** The number that stands for a lane in a file. */
  static int category(Lane lane) {
    return LANES.indexOf(lane) + 1;
  }
}
