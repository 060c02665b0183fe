package tracer.perfetto;

import java.nio.charset.StandardCharsets;

/**
 * Reads the wire format of Protocol Buffers, field by field. Not safe for use by many threads.
 *
 * <p>What cannot be read makes it throw {@link MalformedException}, never read outside its bytes.
 */
final class WireReader {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int LENGTH = 2;
  private static final int FIXED32 = 5;

  private final byte[] bytes;
  private final int end;
  private int at;
  private int field;
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
    field = (int) (tag >>> 3);
    switch ((int) tag & 7) {
      case VARINT -> value = varint();
      case FIXED64 -> skip(Long.BYTES);
      case FIXED32 -> skip(Integer.BYTES);
      case LENGTH -> {
        value = varint();
        from = at;
        skip(value);
      }
      default -> throw new MalformedException("no wire type " + (tag & 7) + " at " + at);
    }
    return true;
  }

  int field() {
    return field;
  }

  long number() {
    return value;
  }

  String text() {
    return new String(bytes, from, (int) value, StandardCharsets.UTF_8);
  }

  WireReader message() {
    return new WireReader(bytes, from, from + (int) value);
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
