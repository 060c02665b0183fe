package failover.store;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The content of a stored answer: bytes, an immutable value that becomes bytes when they are
 * needed, or the fact that the answer was null. Immutable, so that nothing done to an answer can
 * change what is stored.
 */
public final class Payload {
  private static final byte[] NOTHING = {};
  private static final int HASH_BYTES = 16;

  private final String type;
  private final int schemaVersion;
  private final boolean isTombstone;
  private final @Nullable Object value;
  private final Supplier<byte[]> encoder;
  private volatile byte @Nullable [] bytes;

  private Payload(
      String type,
      int schemaVersion,
      boolean isTombstone,
      @Nullable Object value,
      byte @Nullable [] bytes,
      Supplier<byte[]> encoder) {
    this.type = type;
    this.schemaVersion = schemaVersion;
    this.isTombstone = isTombstone;
    this.value = value;
    this.bytes = bytes;
    this.encoder = encoder;
  }

  /**
   * An encoded answer.
   *
   * @param type its type for people to read; nothing is ever loaded by it
   * @param schemaVersion the version of the type
   * @param bytes the answer; must not be changed afterwards
   */
  public static Payload ofBytes(String type, int schemaVersion, byte[] bytes) {
    return new Payload(type, schemaVersion, false, null, bytes, () -> NOTHING);
  }

  /**
   * An answer that cannot change, kept as it is.
   *
   * @param type its type for people to read
   * @param schemaVersion the version of the type
   * @param value the answer
   * @param encoder gives the bytes, if anybody asks for them
   */
  public static Payload ofValue(
      String type, int schemaVersion, Object value, Supplier<byte[]> encoder) {
    return new Payload(type, schemaVersion, false, value, null, encoder);
  }

  /**
   * The fact that the live answer was null, which takes the place of older answers.
   *
   * @param type the type of answers, for people to read
   * @param schemaVersion the version of the type
   */
  public static Payload tombstone(String type, int schemaVersion) {
    return new Payload(type, schemaVersion, true, null, NOTHING, () -> NOTHING);
  }

  /** The type of the answer, for people to read. */
  public String type() {
    return type;
  }

  /** The version of the type that the bytes are of. */
  public int schemaVersion() {
    return schemaVersion;
  }

  /** Whether the live answer was null. */
  public boolean isTombstone() {
    return isTombstone;
  }

  /** The answer itself, if it cannot change and was not read from bytes. */
  public Optional<Object> value() {
    return Optional.ofNullable(value);
  }

  /** The answer as bytes, which must not be changed; empty for a tombstone. */
  public byte[] bytes() {
    byte[] known = bytes;
    if (known == null) {
      known = encoder.get();
      bytes = known;
    }
    return known;
  }

  /** 32 characters that differ when the content does: half of the SHA-256 of the bytes. */
  public String contentHash() {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      sha.update((byte) (isTombstone ? 1 : 0));
      return HexFormat.of().formatHex(Arrays.copyOf(sha.digest(bytes()), HASH_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256, but this one does not", e);
    }
  }

  /** Its type and version; the content does not belong into logs. */
  @Override
  public String toString() {
    return (isTombstone ? "null " : "") + type + " version " + schemaVersion;
  }
}
