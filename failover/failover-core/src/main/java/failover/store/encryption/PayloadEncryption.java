package failover.store.encryption;

import failover.store.encryption.UnreadableContentException.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How contents are written, and which can be read. One cipher writes, or none; each of several
 * reads what bears its id. Immutable.
 *
 * <p>An encrypted content is an envelope: {@code C1 'H' 'F' 'E'}, a version, the length and
 * characters of the cipher's id, and what the cipher returned. A plain content that begins like an
 * envelope is written into one without a cipher; any other plain content is written as it is. So
 * plain and encrypted contents are told apart whatever they are, and encryption may be switched on
 * and off at any time.
 */
public final class PayloadEncryption {
  private static final byte[] MAGIC = {(byte) 0xC1, 'H', 'F', 'E'};
  private static final byte VERSION = 1;
  private static final int SHORTEST = MAGIC.length + 2;
  private static final Pattern ID = Pattern.compile("[a-z0-9._-]{1,32}");

  private final @Nullable PayloadCipher writer;
  private final Map<String, PayloadCipher> readers;
  private final boolean acceptsPlain;

  private PayloadEncryption(
      @Nullable PayloadCipher writer, Map<String, PayloadCipher> readers, boolean acceptsPlain) {
    this.writer = writer;
    this.readers = readers;
    this.acceptsPlain = acceptsPlain;
  }

  /**
   * Contents are encrypted with a cipher, which also reads.
   *
   * @throws IllegalArgumentException if its id is not as it must be
   */
  public static PayloadEncryption with(PayloadCipher writer) {
    return new PayloadEncryption(writer, Map.of(checkedId(writer), writer), true);
  }

  /** Contents are written plain; what is encrypted is read by the ciphers that are added. */
  public static PayloadEncryption off() {
    return new PayloadEncryption(null, Map.of(), true);
  }

  /**
   * The same, and another cipher reads as well.
   *
   * @throws IllegalArgumentException if its id is taken or not as it must be
   */
  public PayloadEncryption reading(PayloadCipher other) {
    Map<String, PayloadCipher> all = new LinkedHashMap<>(readers);
    if (all.put(checkedId(other), other) != null) {
      throw new IllegalArgumentException(
          "each cipher must have an id of its own but two have '%s'; leave one of them out"
              .formatted(other.id()));
    }
    return new PayloadEncryption(writer, Collections.unmodifiableMap(all), acceptsPlain);
  }

  /**
   * The same, but contents that are not encrypted count as unreadable. For the time when all plain
   * ones have been replaced or have expired: then nobody can put a plain content into a row.
   *
   * @throws IllegalArgumentException if contents are written plain
   */
  public PayloadEncryption refusingPlain() {
    if (writer == null) {
      throw new IllegalArgumentException(
          "plain contents can be refused only where new ones are encrypted; switch encryption on");
    }
    return new PayloadEncryption(writer, readers, false);
  }

  private static String checkedId(PayloadCipher cipher) {
    if (!ID.matcher(cipher.id()).matches()) {
      throw new IllegalArgumentException(
          "the id of a cipher must have 1 to 32 lowercase letters, digits, dots, dashes and underscores but was '%s'"
              .formatted(cipher.id()));
    }
    return cipher.id();
  }

  /** Returns the id of the cipher that writes, or null if contents are written plain. */
  public @Nullable String writes() {
    return writer == null ? null : writer.id();
  }

  /**
   * Returns a content as it is to be stored: the same array if that is no different.
   *
   * @param content the content
   * @param place the row it is for
   */
  public byte[] seal(byte[] content, byte[] place) {
    if (writer != null) {
      byte[] header = header(writer.id());
      return joined(header, writer.encrypt(content, joined(header, place)));
    }
    return isEnvelope(content) ? joined(header(""), content) : content;
  }

  /**
   * Returns the content of what was stored: the same array if it was stored as it is.
   *
   * @param stored what was found
   * @param place the row it was found in
   * @throws UnreadableContentException if it cannot be read
   */
  public byte[] open(byte[] stored, byte[] place) {
    if (!isEnvelope(stored)) {
      return plain(stored);
    }
    int idLength = stored.length < SHORTEST ? 0 : Byte.toUnsignedInt(stored[SHORTEST - 1]);
    if (stored.length < SHORTEST + idLength || stored[MAGIC.length] != VERSION) {
      throw new UnreadableContentException(
          Reason.MALFORMED,
          "an encrypted answer is cut off or of another version of this library; check that the"
              + " column PAYLOAD is long enough, and use the newest version that writes to it");
    }
    int begin = SHORTEST + idLength;
    byte[] rest = Arrays.copyOfRange(stored, begin, stored.length);
    if (idLength == 0) {
      return plain(rest);
    }
    String id = new String(stored, SHORTEST, idLength, StandardCharsets.US_ASCII);
    byte[] header = Arrays.copyOf(stored, begin);
    return decrypted(reader(id), rest, joined(header, place));
  }

  private static byte[] decrypted(PayloadCipher reader, byte[] encrypted, byte[] place) {
    try {
      return reader.decrypt(encrypted, place);
    } catch (UnreadableContentException e) {
      throw e;
    } catch (RuntimeException e) { // its message may quote anything
      throw new UnreadableContentException(
          Reason.CIPHER_FAILED,
          "the cipher '%s' failed with %s".formatted(reader.id(), e.getClass().getName()));
    }
  }

  private byte[] plain(byte[] content) {
    if (!acceptsPlain) {
      throw new UnreadableContentException(
          Reason.PLAIN,
          "a stored answer is not encrypted, and plain ones are refused; accept them until all are"
              + " replaced, or find out who writes to the table");
    }
    return content;
  }

  private PayloadCipher reader(String id) {
    PayloadCipher reader = readers.get(id);
    if (reader == null) {
      throw new UnreadableContentException(
          Reason.UNKNOWN_CIPHER,
          "an answer was encrypted with the cipher '%s' but the ciphers are %s; configure that cipher and its key for reading"
              .formatted(ID.matcher(id).matches() ? id : "?", readers.keySet()));
    }
    return reader;
  }

  private static boolean isEnvelope(byte[] content) {
    return content.length >= MAGIC.length
        && Arrays.equals(content, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  private static byte[] header(String id) {
    byte[] characters = id.getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(SHORTEST + characters.length)
        .put(MAGIC)
        .put(VERSION)
        .put((byte) characters.length)
        .put(characters)
        .array();
  }

  private static byte[] joined(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  /** Which ciphers write and read, never a key. */
  @Override
  public String toString() {
    return "writes %s, reads %s%s"
        .formatted(
            writer == null ? "plain" : writer.id(),
            readers.keySet(),
            acceptsPlain ? " and plain" : "");
  }
}
