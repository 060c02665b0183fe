package tracer.perfetto;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes the wire format of Protocol Buffers into memory that grows. Messages are begun and ended:
 * their length is filled in afterwards, in one byte if they are small, in four otherwise. Not safe
 * for use by many threads.
 */
final class WireWriter {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int LENGTH = 2;
  private static final int LONG_LENGTH = 4;

  private byte[] bytes = new byte[64 * 1024];
  private int at;

  /** The memory. */
  byte[] bytes() {
    return bytes;
  }

  /** How many bytes were written. */
  int size() {
    return at;
  }

  void clear() {
    at = 0;
  }

  /** Has written up to there, directly into the memory that was reserved. */
  void moveTo(int end) {
    at = end;
  }

  /** Makes sure that so many bytes can be written without a further look. */
  void reserve(int more) {
    if (bytes.length - at < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, at + more));
    }
  }

  void field(int number, long value) {
    reserve(20);
    tag(number, VARINT);
    varint(value);
  }

  private void tag(int number, int type) {
    int tag = number << 3 | type;
    if (tag < 0x80) {
      bytes[at++] = (byte) tag;
    } else {
      varint(tag);
    }
  }

  void field(int number, String text) {
    field(number, text.getBytes(StandardCharsets.UTF_8));
  }

  void field(int number, byte[] content) {
    reserve(20 + content.length);
    tag(number, LENGTH);
    varint(content.length);
    System.arraycopy(content, 0, bytes, at, content.length);
    at += content.length;
  }

  /** A field of eight bytes, the lowest first. */
  void fixedField(int number, long value) {
    reserve(20);
    tag(number, FIXED64);
    LONG.set(bytes, at, value);
    at += Long.BYTES;
  }

  /** Begins a message of up to 127 bytes; gives what {@link #endSmall} needs. */
  int beginSmall(int number) {
    reserve(160);
    tag(number, LENGTH);
    return at++;
  }

  void endSmall(int begun) {
    bytes[begun] = (byte) (at - begun - 1);
  }

  /** Begins a message of any size; gives what {@link #end} needs. */
  int begin(int number) {
    reserve(20);
    tag(number, LENGTH);
    at += LONG_LENGTH;
    return at;
  }

  /** The length as a number of four bytes, also where fewer would do. */
  void end(int begun) {
    int length = at - begun;
    for (int i = 0; i < LONG_LENGTH; i++) {
      int more = i < LONG_LENGTH - 1 ? 0x80 : 0;
      bytes[begun - LONG_LENGTH + i] = (byte) (((length >>> (7 * i)) & 0x7F) | more);
    }
  }

  /** Four bytes, the lowest first. */
  void fixed(int value) {
    reserve(Integer.BYTES);
    INT.set(bytes, at, value);
    at += Integer.BYTES;
  }

  /** Overwrites four bytes. */
  void fixedAt(int place, int value) {
    INT.set(bytes, place, value);
  }

  private void varint(long value) {
    byte[] into = bytes;
    int next = at;
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      into[next++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    into[next++] = (byte) rest;
    at = next;
  }
}
