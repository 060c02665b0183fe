package tracer.perfetto;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Encodes events with values, of which there are millions a second. What is the same in all events
 * of a kind and a thread is prepared once and stored as four words; numbers are spread over their
 * bytes without a loop. Not safe for use by many threads.
 */
final class ValuePackets {
  /*
   * packet {
   *   timestamp, [ sequence, flags, event { lane, category, type, name, track, ] annotations } }
   *
   * The part in brackets is the shape of an event, at most 31 bytes. It is stored with room to spare,
   * and so are numbers: what is stored next overwrites what is too much.
   */
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** More than a packet takes, with all that is stored behind its end. */
  private static final int ROOM = 200;

  private static final int SHAPES = 128;
  private static final int MOST_LENGTH = 127;
  private static final byte PACKET = tag(Fields.PACKET, 2);
  private static final byte TIMESTAMP = tag(Fields.TIMESTAMP, 0);
  private static final byte ANNOTATION = tag(Fields.DEBUG_ANNOTATIONS, 2);
  private static final byte INT_VALUE = tag(Fields.INT_VALUE, 0);
  private static final byte ID = (byte) ArgumentCodes.number("id");
  private static final byte ANNOTATION_NAME = tag(Fields.ANNOTATION_NAME_IID, 0);

  private final WireWriter out;
  private final Shape[] shapes = new Shape[SHAPES];
  private final WireWriter scratch = new WireWriter();
  private int last = -1;
  private int lastEvent;

  ValuePackets(WireWriter out, int sequence) {
    this.out = out;
    for (int i = 0; i < SHAPES; i++) {
      shapes[i] = new Shape(sequence);
    }
  }

  /** What events of a kind, a thread and a lane have in common. */
  private static final class Shape {
    private final int sequence;
    private int kind = -1;
    private int type;
    private long track = -1;
    private int category = -1;
    private long first;
    private long second;
    private long third;
    private long fourth;
    private int lengthAt;
    private int size;

    Shape(int sequence) {
      this.sequence = sequence;
    }

    boolean is(int otherType, int otherKind, long otherTrack, int otherCategory) {
      return kind == otherKind
          && type == otherType
          && track == otherTrack
          && category == otherCategory;
    }

    void become(
        WireWriter bytes,
        int newType,
        int newKind,
        long newTrack,
        int newCategory,
        int secondCategory) {
      bytes.clear();
      bytes.field(Fields.SEQUENCE_ID, sequence);
      bytes.field(Fields.SEQUENCE_FLAGS, Fields.NEEDS_STATE);
      lengthAt = bytes.beginSmall(Fields.TRACK_EVENT);
      bytes.field(Fields.CATEGORY_IIDS, newCategory);
      bytes.field(Fields.CATEGORY_IIDS, secondCategory);
      bytes.field(Fields.TYPE, newType);
      bytes.field(Fields.NAME_IID, newKind);
      bytes.field(Fields.TRACK_UUID, newTrack);
      size = bytes.size();
      first = (long) LONG.get(bytes.bytes(), 0);
      second = (long) LONG.get(bytes.bytes(), 8);
      third = (long) LONG.get(bytes.bytes(), 16);
      fourth = (long) LONG.get(bytes.bytes(), 24);
      kind = newKind;
      type = newType;
      track = newTrack;
      category = newCategory;
    }
  }

  /**
   * Begins the packet of an event; at most 127 bytes with all that follows, so one byte is enough
   * for each length.
   *
   * @param type one of a TrackEvent
   * @param category the number of the lane
   * @param second the number of the category of the kind
   */
  void begin(int type, int kind, long time, long track, int category, int second) {
    Shape shape = shapes[(kind << 1 ^ type) & (SHAPES - 1)];
    if (!shape.is(type, kind, track, category)) {
      shape.become(scratch, type, kind, track, category, second);
    }
    out.reserve(ROOM);
    byte[] into = out.bytes();
    int begun = out.size();
    into[begun] = PACKET;
    into[begun + 2] = TIMESTAMP;
    int at = number(into, begun + 3, time);
    LONG.set(into, at, shape.first);
    LONG.set(into, at + 8, shape.second);
    LONG.set(into, at + 16, shape.third);
    LONG.set(into, at + 24, shape.fourth);
    last = begun;
    lastEvent = at + shape.lengthAt;
    out.moveTo(at + shape.size);
  }

  /** Adds as many of the values as are said, as they are encoded. */
  void values(ArgumentCodes arguments, int count, long a, long b, long c, long d) {
    if (count > 0) {
      value(arguments, 0, a);
    }
    if (count > 1) {
      value(arguments, 1, b);
    }
    if (count > 2) {
      value(arguments, 2, c);
    }
    if (count > 3) {
      value(arguments, 3, d);
    }
  }

  private void value(ArgumentCodes arguments, int index, long value) {
    byte[] into = out.bytes();
    int at = out.size();
    LONG.set(into, at, arguments.prefixes[index]);
    int place = at + arguments.sizes[index];
    int end =
        switch (arguments.types[index]) {
          case LONG, INTERNED_STRING -> number(into, place, value);
          case DOUBLE -> eightBytes(into, place, value);
          case BOOLEAN -> number(into, place, value == 0 ? 0 : 1);
        };
    into[at + 1] = (byte) (end - at - 2);
    out.moveTo(end);
  }

  private static int eightBytes(byte[] into, int at, long value) {
    LONG.set(into, at, value);
    return at + Long.BYTES;
  }

  /** Adds an id, if there is room for it. */
  void id(long id) {
    if (hasRoom(15)) {
      byte[] into = out.bytes();
      int at = out.size();
      into[at] = ANNOTATION;
      into[at + 2] = ANNOTATION_NAME;
      into[at + 3] = ID;
      into[at + 4] = INT_VALUE;
      int end = number(into, at + 5, id);
      into[at + 1] = (byte) (end - at - 2);
      out.moveTo(end);
    }
  }

  /** Adds a note, if there is room for it. */
  void note(Note note) {
    if (note != Note.NONE && hasRoom(7)) {
      byte[] into = out.bytes();
      int at = out.size();
      into[at++] = ANNOTATION;
      into[at++] = 5;
      into[at++] = ANNOTATION_NAME;
      into[at++] = (byte) ArgumentCodes.number(note.argument());
      at = number(into, at, Fields.STRING_VALUE_IID << 3);
      into[at++] = (byte) note.number();
      out.moveTo(at);
    }
  }

  /** Adds that a flow passes or ends; false if there is no room for it. */
  boolean flow(long id, boolean ends) {
    if (!hasRoom(2 + Long.BYTES)) {
      return false;
    }
    byte[] into = out.bytes();
    int field = ends ? Fields.TERMINATING_FLOW_IDS : Fields.FLOW_IDS;
    int at = number(into, out.size(), field << 3 | 1);
    out.moveTo(eightBytes(into, at, id));
    return true;
  }

  private boolean hasRoom(int more) {
    return out.size() - last - 2 + more <= MOST_LENGTH;
  }

  /** Ends the packet, as often as something was added. */
  void end() {
    byte[] into = out.bytes();
    int at = out.size();
    into[lastEvent] = (byte) (at - lastEvent - 1);
    into[last + 1] = (byte) (at - last - 2);
  }

  /** Stores a number in groups of seven bits, the lowest first; gives the place behind it. */
  static int number(byte[] into, int at, long value) {
    if (value >>> 56 != 0) {
      return byteByByte(into, at, value);
    }
    // Fourteen bits apart, then seven: each byte gets its group, all at once.
    long groups = (value & 0x0FFF_FFFFL) | (value & 0x00FF_FFFF_F000_0000L) << 4;
    groups = (groups & 0x0000_3FFF_0000_3FFFL) | (groups & 0x0FFF_C000_0FFF_C000L) << 2;
    groups = (groups & 0x007F_007F_007F_007FL) | (groups & 0x3F80_3F80_3F80_3F80L) << 1;
    // As many further bytes as the highest bit needs: its number divided by seven.
    int further = ((63 - Long.numberOfLeadingZeros(value | 1)) * 37) >>> 8;
    long marks = 0x8080_8080_8080_8080L & ((1L << (further << 3)) - 1);
    LONG.set(into, at, groups | marks);
    return at + further + 1;
  }

  static int byteByByte(byte[] into, int at, long value) {
    int next = at;
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      into[next++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    into[next++] = (byte) rest;
    return next;
  }

  private static byte tag(int field, int type) {
    return (byte) (field << 3 | type);
  }
}
