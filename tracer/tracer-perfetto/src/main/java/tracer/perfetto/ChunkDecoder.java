package tracer.perfetto;

import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Decodes the packets of one chunk. Confined to one call. */
final class ChunkDecoder {
  private record Track(long thread, String name) {}

  private static final Track NO_THREAD = new Track(0, "");

  private final Consumer<TraceEntry> entries;
  private final Map<Long, String> categories = new HashMap<>();
  private final Map<Long, String> names = new HashMap<>();
  private final Map<Long, String> annotations = new HashMap<>();
  private final Map<Long, Track> tracks = new HashMap<>();
  private boolean isLoss; // the chunk tells of lost events, and of nothing else
  private long trackClock;
  private long timeOfDay;

  ChunkDecoder(Consumer<TraceEntry> entries) {
    this.entries = entries;
  }

  /** Hands on all events; gives the number of packets. */
  long decode(byte[] bytes, int from, int end) {
    long packets = 0;
    isLoss = false;
    WireReader trace = new WireReader(bytes, from, end);
    while (trace.next()) {
      if (trace.field() == Fields.PACKET) {
        packet(trace.message());
        packets++;
      }
    }
    return packets;
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
        trackClock = id == Fields.BOOTTIME ? time : trackClock;
        timeOfDay = id == Fields.REALTIME ? time : timeOfDay;
      }
    }
  }

  private void track(WireReader track) {
    long uuid = 0;
    long thread = 0;
    String name = "";
    while (track.next()) {
      if (track.field() == Fields.UUID) {
        uuid = track.number();
      } else if (track.field() == Fields.THREAD) {
        WireReader descriptor = track.message();
        while (descriptor.next()) {
          thread = descriptor.field() == Fields.TID ? descriptor.number() : thread;
          name = descriptor.field() == Fields.THREAD_NAME ? descriptor.text() : name;
        }
      }
    }
    tracks.put(uuid, new Track(thread, name));
  }

  private void interned(WireReader data) {
    while (data.next()) {
      switch (data.field()) {
        case Fields.EVENT_CATEGORIES -> entry(data.message(), categories);
        case Fields.EVENT_NAMES -> entry(data.message(), names);
        case Fields.ANNOTATION_NAMES -> entry(data.message(), annotations);
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
    Track track = NO_THREAD;
    Map<String, Object> values = new LinkedHashMap<>();
    while (event.next()) {
      switch (event.field()) {
        case Fields.CATEGORY_IIDS -> lane = categories.getOrDefault(event.number(), "");
        case Fields.NAME_IID -> name = names.getOrDefault(event.number(), "");
        case Fields.TRACK_UUID -> track = tracks.getOrDefault(event.number(), NO_THREAD);
        case Fields.DEBUG_ANNOTATIONS -> annotation(event.message(), values);
        default -> {
          // of no interest here
        }
      }
    }
    Instant instant = Instant.ofEpochSecond(0, timeOfDay + time - trackClock);
    entries.accept(
        new TraceEntry(instant, lane, name, track.thread(), track.name(), values, isLoss));
  }

  private void annotation(WireReader annotation, Map<String, Object> values) {
    String name = "";
    while (annotation.next()) {
      switch (annotation.field()) {
        case Fields.ANNOTATION_NAME_IID -> name = annotations.getOrDefault(annotation.number(), "");
        case Fields.INT_VALUE -> values.put(name, annotation.number());
        case Fields.STRING_VALUE -> values.put(name, annotation.text());
        default -> {
          // of no interest here
        }
      }
    }
  }
}
