package tracer.perfetto;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import tracer.ArgumentType;
import tracer.Lane;
import tracer.TraceEvent;
import tracer.TraceValue;
import tracer.sink.TraceStart;

/**
 * Tells a chunk what its events refer to, each once: names, arguments, strings, threads and other
 * tracks. Not safe for use by many threads.
 */
final class Introductions {
  static final int LOSS_NAME = TraceEvent.MOST_NAMES + 1;
  private static final int NO_STRING = TraceValue.MOST_STRINGS + 2;
  private static final List<Lane> LANES = List.of(Lane.values());

  private final WireWriter out;
  private final TraceOrigin origin;
  private final TrackPackets tracks;
  private final Map<Integer, ArgumentCodes> codes = new HashMap<>();
  private final Function<Integer, ArgumentCodes> newCodes = this::codes;
  private final Map<String, Integer> categoryNumbers = new HashMap<>();
  private final BitSet names = new BitSet();
  private final BitSet categories = new BitSet();
  private final BitSet strings = new BitSet();
  private final Set<Long> threads = new HashSet<>();
  private final Set<Long> otherTracks = new HashSet<>();
  private boolean hasVirtualThreads;
  private long lastThread;

  Introductions(WireWriter out, TraceStart start, TraceOrigin origin) {
    this.out = out;
    this.origin = origin;
    this.tracks = new TrackPackets(out, start, origin);
  }

  /** A reading of the tracer's clock as a timestamp. */
  long timestamp(long reading) {
    return tracks.timestamp(reading);
  }

  /**
   * A chunk begins, with all that others do not need to have told.
   *
   * @param afterLoss whether events were lost before it; said where the state is cleared, since a
   *     viewer skips what needs a state after a loss
   */
  void begin(boolean afterLoss) {
    names.clear();
    categories.clear();
    strings.clear();
    threads.clear();
    otherTracks.clear();
    hasVirtualThreads = false;
    lastThread = -1;
    tracks.introduction();
    int packet = out.begin(Fields.PACKET);
    out.field(Fields.SEQUENCE_ID, origin.sequence());
    out.field(Fields.SEQUENCE_FLAGS, Fields.STATE_CLEARED);
    if (afterLoss) {
      out.field(Fields.PREVIOUS_PACKET_DROPPED, 1);
    }
    int defaults = out.beginSmall(Fields.PACKET_DEFAULTS);
    out.field(Fields.TIMESTAMP_CLOCK_ID, Fields.SEQUENCE_CLOCK);
    out.endSmall(defaults);
    int interned = out.begin(Fields.INTERNED_DATA);
    for (Lane lane : LANES) {
      interned(Fields.EVENT_CATEGORIES, category(lane), lane.name());
    }
    for (int i = 0; i < ArgumentCodes.NAMES.size(); i++) {
      interned(Fields.ANNOTATION_NAMES, i + 1, ArgumentCodes.NAMES.get(i));
    }
    for (Note note : Note.values()) {
      if (note != Note.NONE) {
        interned(Fields.ANNOTATION_STRINGS, note.number(), note.text());
      }
    }
    out.end(interned);
    out.end(packet);
  }

  /** The number that stands for a lane in a file. */
  static int category(Lane lane) {
    return LANES.indexOf(lane) + 1;
  }

  /** A kind of event with the names of its arguments. */
  ArgumentCodes event(int event) {
    ArgumentCodes known = codes.computeIfAbsent(event, newCodes);
    if (!names.get(event)) {
      names.set(event);
      int packet = out.begin(Fields.PACKET);
      out.field(Fields.SEQUENCE_ID, origin.sequence());
      int data = out.begin(Fields.INTERNED_DATA);
      interned(Fields.EVENT_NAMES, event, TraceEvent.withId(event).name());
      for (int i = 0; i < known.declared.size(); i++) {
        interned(Fields.ANNOTATION_NAMES, known.name(i), known.declared.get(i).name());
      }
      out.end(data);
      out.end(packet);
    }
    return known;
  }

  private ArgumentCodes codes(int event) {
    TraceEvent kind = TraceEvent.withId(event);
    int next = LANES.size() + 1 + categoryNumbers.size();
    return new ArgumentCodes(
        kind, categoryNumbers.computeIfAbsent(kind.category(), category -> next));
  }

  /**
   * The category of a kind, which a viewer shows behind the lane.
   *
   * @param codes the kind, which was introduced
   * @return the number that stands for it
   */
  int category(ArgumentCodes codes) {
    if (!categories.get(codes.category)) {
      categories.set(codes.category);
      alone(Fields.EVENT_CATEGORIES, codes.category, codes.categoryName());
    }
    return codes.category;
  }

  /** The name of marks of lost events. */
  void loss() {
    alone(Fields.EVENT_NAMES, LOSS_NAME, TrackPackets.LOSS);
  }

  /** A string that is the value of an argument; the number that stands for it. */
  long string(long value) {
    int known = TraceValue.isString(value) ? (int) value : NO_STRING;
    long number = ArgumentCodes.FIRST_STRING + known;
    if (!strings.get(known)) {
      strings.set(known);
      String text =
          known == NO_STRING
              ? "<not a string: record it with TraceValue.of(String)>"
              : TraceValue.string(value);
      alone(Fields.ANNOTATION_STRINGS, number, text);
    }
    return number;
  }

  /** The value as it is encoded; its string is introduced, if it is one. */
  long encoded(ArgumentCodes arguments, int index, long value) {
    return arguments.types[index] == ArgumentType.INTERNED_STRING ? string(value) : value;
  }

  private void alone(int field, long iid, String text) {
    int packet = out.begin(Fields.PACKET);
    out.field(Fields.SEQUENCE_ID, origin.sequence());
    int data = out.begin(Fields.INTERNED_DATA);
    interned(field, iid, text);
    out.end(data);
    out.end(packet);
  }

  private void interned(int field, long iid, String text) {
    int entry = out.begin(field);
    out.field(Fields.IID, iid);
    out.field(Fields.NAME, text);
    out.end(entry);
  }

  /** Whether that thread was the last to be introduced, as nearly always. */
  boolean isLast(long thread) {
    return thread == lastThread;
  }

  /** The track of a thread. */
  void thread(long thread, String name, boolean isVirtual) {
    lastThread = thread;
    if (!threads.add(thread)) {
      return;
    }
    if (!isVirtual) {
      tracks.thread(thread, name.isEmpty() ? "thread " + thread : name);
      return;
    }
    if (!hasVirtualThreads) {
      hasVirtualThreads = true;
      tracks.virtualThreads();
    }
    tracks.virtualThread(thread, name.isEmpty() ? "virtual " + thread : name);
  }

  /** The track of the asynchronous spans of a kind and an id. */
  long async(int event, long id) {
    long track = origin.asyncTrack(event, id);
    if (otherTracks.add(track)) {
      tracks.async(track, TraceEvent.withId(event).name());
    }
    return track;
  }

  /** The track of a counter. */
  long counter(int event) {
    long track = origin.counterTrack(event);
    if (otherTracks.add(track)) {
      TraceEvent counter = TraceEvent.withId(event);
      tracks.counter(track, counter.name(), counter.unit());
    }
    return track;
  }
}
