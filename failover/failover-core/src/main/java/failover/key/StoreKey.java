package failover.key;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Under which an answer is kept: the effective name of its point and its arguments as bytes.
 *
 * <p>Stores in memory compare the bytes themselves. Stores elsewhere use {@link #id()}, 36
 * characters made of the first 128 bits of their SHA-256. Immutable.
 */
public final class StoreKey {
  private static final int ID_BYTES = 16;

  /** What the bytes of a key begin with that was not made of arguments. */
  private static final byte STORED = 'I';

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long SCATTER = 0x9E3779B97F4A7C15L;

  private final String name;
  private final byte[] encoding;
  private final int hash;
  private volatile @Nullable String id;

  private StoreKey(String name, byte[] encoding, @Nullable String id) {
    this.name = name;
    this.encoding = encoding;
    this.hash = 31 * name.hashCode() + hash(encoding);
    this.id = id;
  }

  /** Eight bytes at a time: each call makes a key. */
  private static int hash(byte[] bytes) {
    long hash = bytes.length;
    int i = 0;
    for (; i <= bytes.length - Long.BYTES; i += Long.BYTES) {
      hash = (hash ^ (long) LONGS.get(bytes, i)) * SCATTER;
      hash ^= hash >>> 32;
    }
    for (; i < bytes.length; i++) {
      hash = (hash ^ bytes[i]) * SCATTER;
    }
    return (int) ((hash * SCATTER) >>> 32);
  }

  /**
   * The key of these bytes.
   *
   * @param name the effective name, or the text of a {@link StoredName}
   * @param encoding stands for the arguments: equal bytes are equal arguments; not copied
   */
  public static StoreKey of(String name, byte[] encoding) {
    return new StoreKey(name, encoding, null);
  }

  /**
   * The key of an answer that a store gives without being asked for its arguments. It is good for
   * removing that answer, and equal only to other keys made like this.
   *
   * @param name the effective name, or the text of a {@link StoredName}
   * @param id the 36 characters
   */
  public static StoreKey stored(String name, String id) {
    return new StoreKey(name, ((char) STORED + id).getBytes(StandardCharsets.ISO_8859_1), id);
  }

  /** The same arguments and {@link #id()} under another name: where a store keeps them by it. */
  public StoreKey withName(String other) {
    return new StoreKey(other, encoding, id());
  }

  /** Whether it was made of arguments, and not by {@link #stored}. */
  public boolean hasArguments() {
    return encoding.length == 0 || encoding[0] != STORED;
  }

  /** Whether the other key is of the answer with the same name and {@link #id()}. */
  public boolean hasIdOf(StoreKey other) {
    return name.equals(other.name) && id().equals(other.id());
  }

  /** About how many bytes of memory the arguments take. */
  public int estimatedBytes() {
    return encoding.length;
  }

  /**
   * Under which name it is kept: the effective name, which is the domain of the point, or its own
   * name where it has none; where there are tenants, the text of a {@link StoredName}.
   */
  public String name() {
    return name;
  }

  /**
   * The arguments as 36 characters, the same on every machine, in every version and for every
   * tenant.
   */
  public String id() {
    String known = id;
    if (known == null) {
      known = digest();
      id = known;
    }
    return known;
  }

  private String digest() {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      sha.update(StoredName.effectiveName(name).getBytes(StandardCharsets.UTF_8));
      sha.update((byte) 0);
      byte[] bits = Arrays.copyOf(sha.digest(encoding), ID_BYTES);
      String hex = HexFormat.of().formatHex(bits);
      return String.join(
          "-",
          hex.substring(0, 8),
          hex.substring(8, 12),
          hex.substring(12, 16),
          hex.substring(16, 20),
          hex.substring(20));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256, but this one does not", e);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof StoreKey that
            && hash == that.hash
            && name.equals(that.name)
            && Arrays.equals(encoding, that.encoding));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** The name and the tenant: arguments do not belong into logs. */
  @Override
  public String toString() {
    return StoredName.parse(name).toString();
  }
}
