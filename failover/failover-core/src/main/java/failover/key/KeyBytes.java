package failover.key;

import java.util.Arrays;

/** A growing array of bytes. Confined to one call. */
final class KeyBytes {
  private byte[] bytes = new byte[64];
  private int size;

  void tag(char tag) {
    room(1);
    bytes[size++] = (byte) tag;
  }

  void number(int value) {
    room(4);
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
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
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      bytes[size++] = (byte) (c >>> 8);
      bytes[size++] = (byte) c;
    }
  }

  void raw(byte[] more) {
    room(more.length);
    System.arraycopy(more, 0, bytes, size, more.length);
    size += more.length;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  private void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }
}
