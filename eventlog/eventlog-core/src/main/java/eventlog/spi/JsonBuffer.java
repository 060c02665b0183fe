package eventlog.spi;

import static java.nio.charset.StandardCharsets.UTF_16BE;

import eventlog.LossReason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import tools.jackson.core.StreamReadConstraints;

/**
 * Bytes of JSON text in the making, in an array that grows and is used again. Not safe for use by
 * many threads.
 */
public final class JsonBuffer {
  /** Room for any one number, escape or character. */
  private static final int ROOM = 32;

  /** What readers take at most, in UTF-8. */
  private static final int MOST_NAME_BYTES = StreamReadConstraints.DEFAULT_MAX_NAME_LEN;

  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] DIGITS = "0123456789".getBytes(StandardCharsets.US_ASCII);

  /** Which characters stand for themselves: printable ASCII but quote and backslash. */
  private static final boolean[] PLAIN = new boolean[128];

  static {
    Arrays.fill(PLAIN, ' ', 128, true);
    PLAIN['"'] = false;
    PLAIN['\\'] = false;
  }

  private byte[] bytes;
  private int length;
  private int limit = Integer.MAX_VALUE - 8;

  /**
   * An empty buffer.
   *
   * @param capacity the bytes it has room for at first
   */
  public JsonBuffer(int capacity) {
    this.bytes = new byte[Math.max(ROOM, capacity)];
  }

  /** The array that holds the bytes; another one after it has grown. */
  public byte[] array() {
    return bytes;
  }

  /** How many bytes there are. */
  public int length() {
    return length;
  }

  /** Forgets what comes after the given length. */
  public void truncate(int newLength) {
    length = newLength;
  }

  /** Sets the length beyond which writing fails; replaces the one set before. */
  void limit(long newLimit) {
    limit = (int) Math.min(Integer.MAX_VALUE - 8, newLimit);
  }

  /** Appends one ASCII character as it is. */
  public JsonBuffer raw(char ascii) {
    reserve(1);
    bytes[length++] = (byte) ascii;
    return this;
  }

  /** Appends bytes as they are. */
  public JsonBuffer raw(byte[] source) {
    return raw(source, 0, source.length);
  }

  /** Appends a part of an array as it is. */
  public JsonBuffer raw(byte[] source, int from, int count) {
    reserve(count);
    System.arraycopy(source, from, bytes, length, count);
    length += count;
    return this;
  }

  /**
   * Appends the name of a field in quotes, and a colon. Half a surrogate pair becomes the character
   * that stands for what cannot be shown: unlike in a text, readers do not take it in a name.
   *
   * @throws UnwritableEntryException if readers would not take a name as long as this
   */
  JsonBuffer name(String name) {
    boolean whole = name.codePoints().noneMatch(c -> c >= 0xD800 && c <= 0xDFFF);
    String written = whole ? name : new String(name.getBytes(UTF_16BE), UTF_16BE);
    long bytes = bytesOf(written);
    if (bytes > MOST_NAME_BYTES) {
      throw new UnwritableEntryException(
          LossReason.NOT_SERIALIZABLE,
          "a name must have at most " + MOST_NAME_BYTES + " bytes in UTF-8 but has " + bytes,
          null);
    }
    return text(written).raw(':');
  }

  /** How many bytes a name has in UTF-8; of one that is short in any case, some lower number. */
  private static long bytesOf(String text) {
    return 3L * text.length() <= MOST_NAME_BYTES
        ? text.length()
        : text.codePoints()
            .mapToLong(c -> c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4)
            .sum();
  }

  /** Appends a text in quotes, escaped where it must be. */
  public JsonBuffer text(String text) {
    int count = text.length();
    reserve(count + 2L);
    byte[] target = bytes;
    int at = length;
    target[at++] = '"';
    for (int i = 0; i < count; i++) {
      char c = text.charAt(i);
      if (c >= 128 || !PLAIN[c]) {
        length = at;
        return rest(text, i);
      }
      target[at++] = (byte) c;
    }
    target[at++] = '"';
    length = at;
    return this;
  }

  /** The rest of a text in which not every character stands for itself. */
  private JsonBuffer rest(String text, int from) {
    for (int i = from; i < text.length(); i++) {
      reserve(ROOM);
      char c = text.charAt(i);
      if (c < 128) {
        ascii(c);
      } else if (c < 0x800) {
        bytes[length++] = (byte) (0xC0 | (c >> 6));
        bytes[length++] = (byte) (0x80 | (c & 0x3F));
      } else if (!Character.isSurrogate(c)) {
        bytes[length++] = (byte) (0xE0 | (c >> 12));
        bytes[length++] = (byte) (0x80 | ((c >> 6) & 0x3F));
        bytes[length++] = (byte) (0x80 | (c & 0x3F));
      } else if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        supplementary(Character.toCodePoint(c, text.charAt(++i)));
      } else {
        escape(c); // half a pair has no UTF-8 form
      }
    }
    return raw('"');
  }

  private void ascii(char c) {
    if (PLAIN[c]) {
      bytes[length++] = (byte) c;
      return;
    }
    switch (c) {
      case '"', '\\' -> shortEscape(c);
      case '\n' -> shortEscape('n');
      case '\r' -> shortEscape('r');
      case '\t' -> shortEscape('t');
      default -> escape(c);
    }
  }

  private void shortEscape(char c) {
    bytes[length++] = '\\';
    bytes[length++] = (byte) c;
  }

  private void escape(char c) {
    bytes[length++] = '\\';
    bytes[length++] = 'u';
    for (int shift = 12; shift >= 0; shift -= 4) {
      bytes[length++] = HEX[(c >> shift) & 15];
    }
  }

  private void supplementary(int codePoint) {
    bytes[length++] = (byte) (0xF0 | (codePoint >> 18));
    bytes[length++] = (byte) (0x80 | ((codePoint >> 12) & 0x3F));
    bytes[length++] = (byte) (0x80 | ((codePoint >> 6) & 0x3F));
    bytes[length++] = (byte) (0x80 | (codePoint & 0x3F));
  }

  /** Appends a whole number. */
  public JsonBuffer number(long value) {
    if (value < 0) {
      return raw(Long.toString(value).getBytes(StandardCharsets.US_ASCII));
    }
    int count = 1;
    for (long left = value / 10; left > 0; left /= 10) {
      count++;
    }
    digits(value, count);
    return this;
  }

  /** Appends the last digits of a number that is not negative, with zeros in front. */
  JsonBuffer digits(long value, int count) {
    reserve(ROOM);
    long left = value;
    for (int i = length + count - 1; i >= length; i--) {
      bytes[i] = DIGITS[(int) (left % 10)];
      left /= 10;
    }
    length += count;
    return this;
  }

  /** Appends 32 bits as eight hexadecimal digits. */
  public JsonBuffer hex(int value) {
    reserve(ROOM);
    for (int shift = 28; shift >= 0; shift -= 4) {
      bytes[length++] = HEX[(value >>> shift) & 15];
    }
    return this;
  }

  private void reserve(long more) {
    long needed = length + more;
    if (needed <= bytes.length) {
      return;
    }
    long most = Math.min(Integer.MAX_VALUE - 8L, limit + (long) ROOM);
    if (needed > most) {
      throw tooLarge();
    }
    bytes = Arrays.copyOf(bytes, (int) Math.min(most, Math.max(needed, length * 2L)));
  }

  UnwritableEntryException tooLarge() {
    return new UnwritableEntryException(
        LossReason.ENTRY_TOO_LARGE, "an event is longer than allowed as JSON", null);
  }
}
