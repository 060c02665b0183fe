package tracer.perfetto;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import tracer.sink.TraceBatch;

/**
 * Encodes events with values, of which there are millions a second. What is the same in all events
 * of a kind and a thread is prepared once and stored as three words; numbers are spread over their
 * bytes without a loop. Not safe for use by many threads.
 */
final class ValuePackets {
  /*
   * packet { timestamp, [ sequence, flags, event { category, type, name, track, ] annotations } }
   *
   * The part in brackets is the shape of an event, at most 21 bytes. It is stored with room to spare,
   * and so are numbers: what is stored next overwrites what is too much.
   */
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** More than a packet takes, with all that is stored behind its end. */
  private static final int ROOM = 160;

  private static final int KINDS = 64;
  private static final byte PACKET = tag(Fields.PACKET, 2);
  private static final byte TIMESTAMP = tag(Fields.TIMESTAMP, 0);
  private static final byte INT_VALUE = tag(Fields.INT_VALUE, 0);

  /** An annotation up to its name, which is added in the highest byte; its length comes second. */
  private static final int ANNOTATION =
      tag(Fields.DEBUG_ANNOTATIONS, 2) | tag(Fields.ANNOTATION_NAME_IID, 0) << 16;

  private static final int ANNOTATION_NAME_SHIFT = 24;

  private final WireWriter out;
  private final Shape[] shapes = new Shape[KINDS];

  ValuePackets(WireWriter out) {
    this.out = out;
    for (int i = 0; i < KINDS; i++) {
      shapes[i] = new Shape();
    }
  }

  /** What events of a kind, a thread and a lane have in common. */
  private static final class Shape {
    private int kind = -1;
    private long track = -1;
    private int category = -1;
    private long first;
    private long second;
    private long third;
    private int lengthAt;
    private int size;

    boolean is(int otherKind, long otherTrack, int otherCategory) {
      return kind == otherKind && track == otherTrack && category == otherCategory;
    }

    void become(int newKind, long newTrack, int newCategory) {
      WireWriter bytes = new WireWriter();
      bytes.field(Fields.SEQUENCE_ID, PacketEncoder.SEQUENCE);
      bytes.field(Fields.SEQUENCE_FLAGS, Fields.NEEDS_STATE);
      lengthAt = bytes.beginSmall(Fields.TRACK_EVENT);
      bytes.field(Fields.CATEGORY_IIDS, newCategory);
      bytes.field(Fields.TYPE, Fields.INSTANT);
      bytes.field(Fields.NAME_IID, newKind);
      bytes.field(Fields.TRACK_UUID, newTrack);
      size = bytes.size();
      first = (long) LONG.get(bytes.bytes(), 0);
      second = (long) LONG.get(bytes.bytes(), 8);
      third = (long) LONG.get(bytes.bytes(), 16);
      kind = newKind;
      track = newTrack;
      category = newCategory;
    }
  }

  /**
   * Writes the event that the batch shows; at most 80 bytes, so one byte is enough for each length.
   */
  void write(TraceBatch batch, long time, long track, int category) {
    int kind = batch.eventId();
    Shape shape = shapes[kind & (KINDS - 1)];
    if (!shape.is(kind, track, category)) {
      shape.become(kind, track, category);
    }
    out.reserve(ROOM);
    byte[] into = out.bytes();
    int begun = out.size();
    into[begun] = PACKET;
    into[begun + 2] = TIMESTAMP;
    int at = number(into, begun + 3, time);
    int event = at + shape.lengthAt;
    LONG.set(into, at, shape.first);
    LONG.set(into, at + 8, shape.second);
    LONG.set(into, at + 16, shape.third);
    at = annotation(into, at + shape.size, 1, batch.a());
    at = annotation(into, at, 2, batch.b());
    if (batch.values() > 2) {
      at = annotation(into, at, 3, batch.c());
    }
    into[event] = (byte) (at - event - 1);
    into[begun + 1] = (byte) (at - begun - 2);
    out.moveTo(at);
  }

  private static int annotation(byte[] into, int at, int name, long value) {
    INT.set(into, at, ANNOTATION | name << ANNOTATION_NAME_SHIFT);
    into[at + 4] = INT_VALUE;
    int end = number(into, at + 5, value);
    into[at + 1] = (byte) (end - at - 2);
    return end;
  }

  /** Stores a number in groups of seven bits, the lowest first; gives the place behind it. */
  static int number(byte[] into, int at, long value) {
    if (value >>> 56 != 0) {
      return largeNumber(into, at, value);
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

  private static int largeNumber(byte[] into, int at, long value) {
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
