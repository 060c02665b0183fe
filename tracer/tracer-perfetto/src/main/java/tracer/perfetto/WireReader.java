package tracer.perfetto;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Reads the wire format of Protocol Buffers, field by field. Not safe for use by many threads.
 *
 * <p>What cannot be read makes it throw {@link MalformedException}, never read outside its bytes;
 * so does a field whose type is not the one that is asked for. Each byte is read once.
 */
final class WireReader {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int LENGTH = 2;
  private static final int FIXED32 = 5;

  private final byte[] bytes;
  private final int end;
  private int at;
  private int field;
  private int type;
  private long value;
  private int from;

  /** Bytes that are no message. */
  static final class MalformedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MalformedException(String message) {
      super(message);
    }
  }

  WireReader(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
  }

  /** Moves to the next field; false at the end. */
  boolean next() {
    if (at >= end) {
      return false;
    }
    long tag = varint();
    if (tag >>> Integer.SIZE != 0 || tag >>> 3 == 0) {
      throw new MalformedException("no field number " + (tag >>> 3) + " before " + at);
    }
    field = (int) (tag >>> 3);
    type = (int) tag & 7;
    switch (type) {
      case VARINT -> value = varint();
      case FIXED64 -> {
        from = at;
        skip(Long.BYTES);
      }
      case FIXED32 -> skip(Integer.BYTES);
      case LENGTH -> {
        value = varint();
        from = at;
        skip(value);
      }
      default -> throw new MalformedException("no wire type " + type + " before " + at);
    }
    return true;
  }

  int field() {
    return field;
  }

  /** How far it has read: behind a whole field. */
  int position() {
    return at;
  }

  long number() {
    require(VARINT);
    return value;
  }

  /** The eight bytes of a field. */
  long fixed() {
    require(FIXED64);
    return (long) LONG.get(bytes, from);
  }

  String text() {
    require(LENGTH);
    return new String(bytes, from, (int) value, StandardCharsets.UTF_8);
  }

  WireReader message() {
    require(LENGTH);
    return new WireReader(bytes, from, from + (int) value);
  }

  private void require(int wanted) {
    if (type != wanted) {
      throw new MalformedException(
          "field " + field + " must have type " + wanted + " but has " + type);
    }
  }

  private void skip(long count) {
    if (count < 0 || count > end - at) {
      throw new MalformedException("a field at " + at + " is longer than its message");
    }
    at += (int) count;
  }

  private long varint() {
    long result = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at >= end) {
        throw new MalformedException("a number ends outside its message at " + at);
      }
      byte next = bytes[at++];
      result |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return result;
      }
    }
    throw new MalformedException("a number is too long at " + at);
  }
}
