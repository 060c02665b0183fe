package failover.store;

import failover.codec.PayloadCodec.CodecException;
import failover.key.StoreKey;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A stored answer. Immutable.
 *
 * @param key under which it is kept
 * @param asOf when the call that brought it began, in microseconds
 * @param expireOn the last moment at which it may be served, in microseconds
 * @param payload its content
 */
public record ReferentialPayload(StoreKey key, Instant asOf, Instant expireOn, Payload payload) {
  private static final int NANOS = 1_000;

  /** What an answer takes in memory besides its key and content: objects, moments, a map entry. */
  private static final int OVERHEAD = 300;

  /** Cuts the moments to microseconds, as databases do. */
  public ReferentialPayload {
    asOf = inMicros(asOf);
    expireOn = inMicros(expireOn);
  }

  /** Cuts a moment to microseconds; what {@code truncatedTo} does, for every unit, takes longer. */
  public static Instant inMicros(Instant moment) {
    long second = moment.getEpochSecond();
    int beyond = moment.getNano() % NANOS;
    return beyond == 0 ? moment : Instant.ofEpochSecond(second, moment.getNano() - beyond);
  }

  /** The same answer under another key. */
  public ReferentialPayload under(StoreKey other) {
    return key.equals(other) ? this : new ReferentialPayload(other, asOf, expireOn, payload);
  }

  /**
   * What takes the place of this answer when it is not to be given any more: without content, too
   * old from that moment on, and newer than every call that began before.
   */
  public ReferentialPayload expiredAt(Instant now) {
    return expired(key, asOf, now, payload.type(), payload.schemaVersion());
  }

  /**
   * What takes the place of an answer that is not to be given any more.
   *
   * @param key its key
   * @param asOf what moment it was of
   * @param now the moment from which on it is too old
   * @param type its type, for people to read
   * @param schemaVersion the version of the type
   */
  public static ReferentialPayload expired(
      StoreKey key, Instant asOf, Instant now, String type, int schemaVersion) {
    Instant newest = now.isBefore(asOf) ? asOf : now; // another node's clock may be ahead
    return new ReferentialPayload(
        key, newest, now.minus(1, ChronoUnit.MICROS), Payload.removed(type, schemaVersion));
  }

  /** Whether somebody made it expire: it was too old from its beginning on. */
  public boolean isMadeToExpire() {
    return expireOn.isBefore(asOf);
  }

  /** About how many bytes of memory this answer takes, its key included. */
  public long estimatedBytes() {
    return OVERHEAD + (long) key.estimatedBytes() + payload.estimatedBytes();
  }

  /** Whether this answer may take the place of the other: it is as new or newer. */
  public boolean replaces(ReferentialPayload other) {
    return !asOf.isBefore(other.asOf);
  }

  /**
   * The content of a stored answer: bytes, an immutable value that becomes bytes when they are
   * needed, or the fact that the answer was null. Immutable, so that nothing done to an answer can
   * change what is stored.
   */
  public static final class Payload {
    private static final byte[] NOTHING = {};
    private static final int HASH_BYTES = 16;

    private final String type;
    private final int schemaVersion;
    private final boolean isTombstone;
    private final boolean isOwn;
    private final @Nullable Object value;
    private final Supplier<byte[]> encoder;
    private volatile byte @Nullable [] bytes;
    private long estimate; // 0 until it is known; threads that race find the same

    private Payload(
        String type,
        int schemaVersion,
        boolean isTombstone,
        boolean isOwn,
        @Nullable Object value,
        byte @Nullable [] bytes,
        Supplier<byte[]> encoder) {
      this.type = type;
      this.schemaVersion = schemaVersion;
      this.isTombstone = isTombstone;
      this.isOwn = isOwn;
      this.value = value;
      this.bytes = bytes;
      this.encoder = encoder;
    }

    /**
     * An encoded answer that a store has read. Another process may have written it, with another
     * version of the type.
     *
     * @param type its type for people to read; nothing is ever loaded by it
     * @param schemaVersion the version of the type
     * @param bytes the answer; must not be changed afterwards
     */
    public static Payload ofBytes(String type, int schemaVersion, byte[] bytes) {
      return new Payload(type, schemaVersion, false, false, null, bytes, () -> NOTHING);
    }

    /**
     * An answer that this process has just encoded.
     *
     * @param type its type for people to read
     * @param schemaVersion the version of the type
     * @param bytes the answer; must not be changed afterwards
     */
    public static Payload ofOwnBytes(String type, int schemaVersion, byte[] bytes) {
      return new Payload(type, schemaVersion, false, true, null, bytes, () -> NOTHING);
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
      return new Payload(type, schemaVersion, false, true, value, null, encoder);
    }

    /**
     * The fact that the live answer was null, which takes the place of older answers.
     *
     * @param type the type of answers, for people to read
     * @param schemaVersion the version of the type
     */
    public static Payload tombstone(String type, int schemaVersion) {
      return new Payload(type, schemaVersion, true, true, null, NOTHING, () -> NOTHING);
    }

    /**
     * An encoded answer as a store found it, with the hash that was stored beside it. Where the two
     * do not fit, {@link #bytes()} throws, so that the answer counts as unreadable.
     *
     * @param type its type for people to read
     * @param schemaVersion the version of the type
     * @param isTombstone whether the live answer was null
     * @param bytes what was found; must not be changed afterwards
     * @param contentHash the {@link #contentHash()} with which it was stored
     */
    public static Payload ofStored(
        String type, int schemaVersion, boolean isTombstone, byte[] bytes, String contentHash) {
      Payload found =
          new Payload(type, schemaVersion, isTombstone, isTombstone, null, bytes, () -> NOTHING);
      return found.contentHash().equals(contentHash)
          ? found
          : new Payload(type, schemaVersion, false, false, null, null, Payload::damaged);
    }

    private static byte[] damaged() {
      throw new CodecException(
          "a stored answer was damaged or changed by hand",
          new IllegalStateException("its content must fit its CONTENT_HASH but does not"));
    }

    /**
     * What is left of an answer that was made to expire: nothing that could be read.
     *
     * @param type the type of answers, for people to read
     * @param schemaVersion the version of the type
     */
    static Payload removed(String type, int schemaVersion) {
      return ofBytes(type, schemaVersion, NOTHING);
    }

    /** The same answer, whose bytes are what a store makes of them before it keeps them. */
    Payload sealed(byte[] stored) {
      return new Payload(type, schemaVersion, isTombstone, false, null, stored, () -> NOTHING);
    }

    /** The same answer, as it was before it was {@link #sealed}. */
    Payload opened(byte[] content) {
      return isTombstone ? tombstone(type, schemaVersion) : ofBytes(type, schemaVersion, content);
    }

    /**
     * An answer that was found and cannot be read.
     *
     * @param type the type of answers, for people to read
     * @param schemaVersion the version of the type
     * @param why what {@link #bytes()} throws
     */
    static Payload unreadable(String type, int schemaVersion, RuntimeException why) {
      return new Payload(
          type,
          schemaVersion,
          false,
          false,
          null,
          null,
          () -> {
            throw why;
          });
    }

    /**
     * Whether nothing can be read from it: it was found with a hash that does not fit, or cannot be
     * decrypted.
     */
    public boolean isDamaged() {
      return bytes == null && value == null;
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

    /** Whether this process has made it of an answer, so that it is of the type as it is now. */
    public boolean isOwn() {
      return isOwn;
    }

    /** The answer itself, if it cannot change and was not read from bytes. */
    public Optional<Object> value() {
      return Optional.ofNullable(value);
    }

    /**
     * The answer as bytes, which must not be changed; empty for a tombstone.
     *
     * @throws CodecException if the answer cannot be encoded, or {@link #isDamaged is damaged}
     */
    public byte[] bytes() {
      byte[] known = bytes;
      if (known == null) {
        known = encoder.get();
        bytes = known;
      }
      return known;
    }

    /**
     * About how many bytes of memory the content takes, always the same for one payload. Of what is
     * kept by reference it counts the bytes that may be kept beside it, too.
     */
    public long estimatedBytes() {
      if (value == null) {
        byte[] known = bytes;
        return known == null ? 0 : known.length;
      }
      long known = estimate;
      if (known == 0) {
        long told = EstimatedSize.of(value);
        known = told == EstimatedSize.UNKNOWN ? 2L * bytes().length : told;
        estimate = known;
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
}
