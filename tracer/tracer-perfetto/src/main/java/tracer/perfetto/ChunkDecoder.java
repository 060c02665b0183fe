package tracer.perfetto;

import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import tracer.sink.TracePhase;

/** Decodes the packets of one chunk. Confined to one call. */
final class ChunkDecoder {
  private record Track(long uuid, long thread, String name, boolean isThread) {}

  private static final Track NO_THREAD = new Track(0, 0, "", true);

  private final Consumer<TraceEntry> entries;
  private final Map<Long, String> categories = new HashMap<>();
  private final Map<Long, String> names = new HashMap<>();
  private final Map<Long, String> annotations = new HashMap<>();
  private final Map<Long, String> strings = new HashMap<>();
  private final Map<Long, Track> tracks = new HashMap<>();
  private boolean isLoss; // the chunk tells of lost events, and of nothing else
  private long pid;
  private String processName = "";
  private long trackClock;
  private long timeOfDay;
  private long packets;
  private int decoded;

  ChunkDecoder(Consumer<TraceEntry> entries) {
    this.entries = entries;
  }

  /**
   * Hands on all events.
   *
   * @throws WireReader.MalformedException if it is no chunk, or ends in the middle of a packet;
   *     what was before that is handed on
   */
  void decode(byte[] bytes) {
    WireReader trace = new WireReader(bytes, 0, bytes.length);
    while (trace.next()) {
      if (trace.field() == Fields.PACKET) {
        packet(trace.message());
        packets++;
      }
      decoded = trace.position();
    }
  }

  /** How many packets were decoded. */
  long packets() {
    return packets;
  }

  /** How many bytes they had. */
  int decoded() {
    return decoded;
  }

  private void packet(WireReader packet) {
    long time = 0;
    while (packet.next()) {
      switch (packet.field()) {
        case Fields.TIMESTAMP -> time = packet.number();
        case Fields.PREVIOUS_PACKET_DROPPED -> isLoss = true;
        case Fields.CLOCK_SNAPSHOT -> clocks(packet.message());
        case Fields.TRACK_DESCRIPTOR -> track(packet.message());
        case Fields.INTERNED_DATA -> interned(packet.message());
        case Fields.TRACK_EVENT -> event(packet.message(), time);
        default -> {
          // of no interest here
        }
      }
    }
  }

  private void clocks(WireReader snapshot) {
    while (snapshot.next()) {
      if (snapshot.field() == Fields.CLOCKS) {
        long id = 0;
        long time = 0;
        WireReader clock = snapshot.message();
        while (clock.next()) {
          id = clock.field() == Fields.CLOCK_ID ? clock.number() : id;
          time = clock.field() == Fields.CLOCK_TIMESTAMP ? clock.number() : time;
        }
        trackClock = id == Fields.SEQUENCE_CLOCK ? time : trackClock;
        timeOfDay = id == Fields.REALTIME ? time : timeOfDay;
      }
    }
  }

  private void track(WireReader track) {
    long uuid = 0;
    String name = "";
    boolean isCounter = false;
    while (track.next()) {
      switch (track.field()) {
        case Fields.UUID -> uuid = track.number();
        case Fields.TRACK_NAME -> name = track.text();
        case Fields.TRACK_COUNTER -> isCounter = true;
        case Fields.THREAD -> name = threadName(track.message());
        case Fields.PROCESS -> process(track.message());
        default -> {
          // of no interest here
        }
      }
    }
    long thread = TraceOrigin.threadOf(uuid);
    boolean isOther = uuid < 0 || isCounter; // of asynchronous spans and counters
    tracks.put(uuid, new Track(uuid, thread, thread == 0 && !isOther ? "" : name, !isOther));
  }

  private void process(WireReader process) {
    while (process.next()) {
      pid = process.field() == Fields.PID ? process.number() : pid;
      processName = process.field() == Fields.PROCESS_NAME ? process.text() : processName;
    }
  }

  private static String threadName(WireReader thread) {
    String name = "";
    while (thread.next()) {
      name = thread.field() == Fields.THREAD_NAME ? thread.text() : name;
    }
    return name;
  }

  private void interned(WireReader data) {
    while (data.next()) {
      switch (data.field()) {
        case Fields.EVENT_CATEGORIES -> entry(data.message(), categories);
        case Fields.EVENT_NAMES -> entry(data.message(), names);
        case Fields.ANNOTATION_NAMES -> entry(data.message(), annotations);
        case Fields.ANNOTATION_STRINGS -> entry(data.message(), strings);
        default -> {
          // of no interest here
        }
      }
    }
  }

  private static void entry(WireReader entry, Map<Long, String> into) {
    long iid = 0;
    String name = "";
    while (entry.next()) {
      if (entry.field() == Fields.IID) {
        iid = entry.number();
      } else if (entry.field() == Fields.NAME) {
        name = entry.text();
      }
    }
    into.put(iid, name);
  }

  private void event(WireReader event, long time) {
    String lane = "";
    String name = "";
    long type = 0;
    Track track = NO_THREAD;
    Map<String, Object> values = new LinkedHashMap<>();
    while (event.next()) {
      switch (event.field()) {
        case Fields.CATEGORY_IIDS -> {
          String category = categories.getOrDefault(event.number(), "");
          lane = lane.isEmpty() ? category : lane; // the lane comes first, then the kind's own
        }
        case Fields.NAME_IID -> name = names.getOrDefault(event.number(), "");
        case Fields.TYPE -> type = event.number();
        case Fields.TRACK_UUID -> track = tracks.getOrDefault(event.number(), NO_THREAD);
        case Fields.DEBUG_ANNOTATIONS -> annotation(event.message(), values);
        case Fields.COUNTER_VALUE -> values.put("value", event.number());
        case Fields.DOUBLE_COUNTER_VALUE ->
            values.put("value", Double.longBitsToDouble(event.fixed()));
        case Fields.FLOW_IDS -> values.put("flow", event.fixed());
        case Fields.TERMINATING_FLOW_IDS -> values.put("endFlow", event.fixed());
        default -> {
          // of no interest here
        }
      }
    }
    Instant instant = Instant.ofEpochSecond(0, timeOfDay + time - trackClock);
    TracePhase phase = phase((int) type, track, values);
    entries.accept(
        new TraceEntry(
            instant,
            lane,
            phase == TracePhase.COUNTER ? track.name() : name,
            phase,
            track.thread(),
            track.isThread() ? track.name() : "",
            track.uuid(),
            pid,
            processName,
            values,
            isLoss));
  }

  private static TracePhase phase(int type, Track track, Map<String, Object> values) {
    return switch (type) {
      case Fields.SLICE_BEGIN -> track.isThread() ? TracePhase.BEGIN : TracePhase.ASYNC_BEGIN;
      case Fields.SLICE_END -> track.isThread() ? TracePhase.END : TracePhase.ASYNC_END;
      case Fields.COUNTER -> TracePhase.COUNTER;
      default -> {
        if (values.containsKey("flow")) {
          yield TracePhase.FLOW;
        }
        yield values.containsKey("endFlow") ? TracePhase.FLOW_END : TracePhase.INSTANT;
      }
    };
  }

  private void annotation(WireReader annotation, Map<String, Object> values) {
    String name = "";
    while (annotation.next()) {
      switch (annotation.field()) {
        case Fields.ANNOTATION_NAME_IID -> name = annotations.getOrDefault(annotation.number(), "");
        case Fields.INT_VALUE -> values.put(name, annotation.number());
        case Fields.BOOL_VALUE -> values.put(name, annotation.number() != 0);
        case Fields.DOUBLE_VALUE -> values.put(name, Double.longBitsToDouble(annotation.fixed()));
        case Fields.STRING_VALUE -> values.put(name, annotation.text());
        case Fields.STRING_VALUE_IID ->
            values.put(name, strings.getOrDefault(annotation.number(), ""));
        default -> {
          // of no interest here
        }
      }
    }
  }
}
