package failover.key;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A growing array of bytes. Confined to one call. */
final class KeyBytes {
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private byte[] bytes = new byte[64];
  private int size;

  void tag(char tag) {
    room(1);
    bytes[size++] = (byte) tag;
  }

  void number(int value) {
    room(Integer.BYTES);
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
    room(2 * length);
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
    room(more.length);
    System.arraycopy(more, 0, bytes, size, more.length);
    size += more.length;
  }

  int size() {
    return size;
  }

  byte[] toBytes() {
    return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
  }

  private void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }
}
