package failover.key.canonical;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A growing array of bytes. Confined to one call. */
final class KeyBytes {
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private static final int USUAL = 64;

  private byte[] bytes;
  private int size;

  KeyBytes() {
    this(USUAL);
  }

  /** With place for as many bytes before it grows. */
  KeyBytes(int expected) {
    this.bytes = new byte[expected];
  }

  void tag(char tag) {
    reserve(1);
    bytes[size++] = (byte) tag;
  }

  void number(int value) {
    reserve(Integer.BYTES);
    INTS.set(bytes, size, value);
    size += Integer.BYTES;
  }

  void number(long value) {
    number((int) (value >>> 32));
    number((int) value);
  }

  /** The length, then each character as it is: half a surrogate pair is a value like any other. */
  void text(String text) {
    int length = text.length();
    number(length);
    reserve(2 * length);
    byte[] into = bytes;
    int at = size;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      into[at++] = (byte) (c >>> 8);
      into[at++] = (byte) c;
    }
    size = at;
  }

  void raw(byte[] more) {
    reserve(more.length);
    System.arraycopy(more, 0, bytes, size, more.length);
    size += more.length;
  }

  int size() {
    return size;
  }

  byte[] toBytes() {
    return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
  }

  private void reserve(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }
}
