package eventlog.otlp;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Bytes of protobuf in the making, up to a largest number. Messages inside others are written in
 * place, and their length is put before them when it is known. Not safe for use by many threads.
 */
final class ProtobufBuffer {
  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int LENGTH_DELIMITED = 2;
  private static final int LONGEST_VARINT = 10;

  private final int maxBytes;
  private byte[] bytes;
  private int length;

  ProtobufBuffer(int capacity, int maxBytes) {
    this.maxBytes = maxBytes;
    this.bytes = new byte[Math.max(LONGEST_VARINT, Math.min(capacity, maxBytes))];
  }

  byte[] array() {
    return bytes;
  }

  int length() {
    return length;
  }

  void string(int field, String text) {
    bytes(field, text.getBytes(StandardCharsets.UTF_8));
  }

  void bytes(int field, byte[] value) {
    tag(field, LENGTH_DELIMITED);
    varint(value.length);
    reserve(value.length);
    System.arraycopy(value, 0, bytes, length, value.length);
    length += value.length;
  }

  void number(int field, long value) {
    tag(field, VARINT);
    varint(value);
  }

  void fixed64(int field, long value) {
    tag(field, FIXED_64);
    reserve(Long.BYTES);
    for (int i = 0; i < Long.BYTES; i++) {
      bytes[length++] = (byte) (value >>> (Byte.SIZE * i));
    }
  }

  /** Writes a message in a field: what the writing appends, with its length before it. */
  void message(int field, Runnable writing) {
    tag(field, LENGTH_DELIMITED);
    int start = length;
    writing.run();
    int size = length - start;
    int room = varintSize(size);
    reserve(room);
    System.arraycopy(bytes, start, bytes, start + room, size);
    length = start;
    varint(size);
    length += size;
  }

  private void tag(int field, int wireType) {
    varint(((long) field << 3) | wireType);
  }

  private static int varintSize(int value) {
    return value == 0 ? 1 : (Integer.SIZE - Integer.numberOfLeadingZeros(value) + 6) / 7;
  }

  private void varint(long value) {
    reserve(LONGEST_VARINT);
    long left = value;
    while ((left & ~0x7FL) != 0) {
      bytes[length++] = (byte) ((left & 0x7F) | 0x80);
      left >>>= 7;
    }
    bytes[length++] = (byte) left;
  }

  private void reserve(int more) {
    long needed = (long) length + more;
    if (needed <= bytes.length) {
      return;
    }
    if (needed > maxBytes) {
      throw new RequestTooLargeException(maxBytes);
    }
    bytes = Arrays.copyOf(bytes, (int) Math.min(maxBytes, Math.max(needed, length * 2L)));
  }
}
