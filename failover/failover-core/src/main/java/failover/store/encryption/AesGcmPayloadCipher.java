package failover.store.encryption;

import failover.store.encryption.UnreadableContentException.Reason;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Encrypts with AES in Galois/Counter Mode: 12 random bytes of nonce for each content and a tag of
 * 128 bits over the content and its row. One key writes; several may read, so that keys can be
 * changed. Immutable.
 *
 * <pre>{@code
 * AesGcmPayloadCipher cipher =
 *     AesGcmPayloadCipher.of("2026-06", key).withPrevious("2026-01", previousKey);
 * }</pre>
 *
 * <p>No key is ever part of a message, a log line or {@link #toString}.
 */
public final class AesGcmPayloadCipher implements PayloadCipher {
  /** The id of this cipher: {@value}. */
  public static final String ID = "aesgcm";

  private static final String TRANSFORMATION = "AES/GCM/NoPadding";
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int TAG_BYTES = TAG_BITS / Byte.SIZE;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final String keyId;
  private final AesKey key;
  private final Map<String, AesKey> keys;

  private AesGcmPayloadCipher(String keyId, AesKey key, Map<String, AesKey> keys) {
    this.keyId = keyId;
    this.key = key;
    this.keys = keys;
  }

  /**
   * A cipher with one key.
   *
   * @param keyId the name of the key, stored with every answer: 1 to 32 letters, digits, dots,
   *     dashes and underscores
   * @param key 16, 24 or 32 random bytes in Base64
   * @throws IllegalArgumentException if the key or its name is not like that
   */
  public static AesGcmPayloadCipher of(String keyId, String key) {
    AesKey writing = AesKey.of(keyId, key);
    return new AesGcmPayloadCipher(keyId, writing, Map.of(keyId, writing));
  }

  /**
   * The same cipher, which also reads what was encrypted with another key.
   *
   * @param otherId the name under which that key was used
   * @param otherKey 16, 24 or 32 bytes in Base64
   * @throws IllegalArgumentException if the key or its name is not like that, or the name is taken
   */
  public AesGcmPayloadCipher withPrevious(String otherId, String otherKey) {
    Map<String, AesKey> all = new LinkedHashMap<>(keys);
    if (all.put(otherId, AesKey.of(otherId, otherKey)) != null) {
      throw new IllegalArgumentException(
          "each key must have an id of its own but two have '%s'; give the writing key a new one"
              .formatted(otherId));
    }
    return new AesGcmPayloadCipher(keyId, key, Collections.unmodifiableMap(all));
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public byte[] encrypt(byte[] content, byte[] place) {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    byte[] name = keyId.getBytes(StandardCharsets.US_ASCII);
    try {
      byte[] encrypted = cipher(Cipher.ENCRYPT_MODE, key, nonce, place).doFinal(content);
      return ByteBuffer.allocate(
              1 + name.length + AesKey.CHECK_BYTES + NONCE_BYTES + encrypted.length)
          .put((byte) name.length)
          .put(name)
          .put(key.check())
          .put(nonce)
          .put(encrypted)
          .array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES/GCM, but this one fails to encrypt", e);
    }
  }

  @Override
  public byte[] decrypt(byte[] encrypted, byte[] place) {
    try {
      ByteBuffer rest = ByteBuffer.wrap(encrypted);
      byte[] name = new byte[Byte.toUnsignedInt(rest.get())];
      byte[] check = new byte[AesKey.CHECK_BYTES];
      byte[] nonce = new byte[NONCE_BYTES];
      rest.get(name).get(check).get(nonce);
      rest.slice().get(new byte[TAG_BYTES]); // the cipher of the JDK does not take less
      AesKey found = known(new String(name, StandardCharsets.US_ASCII), check);
      return cipher(Cipher.DECRYPT_MODE, found, nonce, place)
          .doFinal(encrypted, rest.position(), rest.remaining());
    } catch (BufferUnderflowException e) {
      throw new UnreadableContentException(
          Reason.MALFORMED,
          "an encrypted answer is cut off; check that the column PAYLOAD is long enough",
          e);
    } catch (AEADBadTagException e) {
      throw new UnreadableContentException(
          Reason.TAMPERED,
          "an encrypted answer was changed, cut off, or belongs to another row or schema version;"
              + " find out who writes to the table",
          e);
    } catch (GeneralSecurityException e) {
      throw new UnreadableContentException(
          Reason.CIPHER_FAILED, "an encrypted answer cannot be decrypted", e);
    }
  }

  private AesKey known(String id, byte[] check) {
    AesKey found = keys.get(id);
    if (found == null) {
      throw new UnreadableContentException(
          Reason.UNKNOWN_KEY,
          "an answer was encrypted with the key id '%s' but the keys are %s; add it to the previous keys"
              .formatted(AesKey.isId(id) ? id : "?", keys.keySet()));
    }
    if (!Arrays.equals(found.check(), check)) {
      throw new UnreadableContentException(
          Reason.WRONG_KEY,
          "an answer was encrypted with another key of the id '%s' than the one configured; configure that one, and give a new key a new id"
              .formatted(id));
    }
    return found;
  }

  private static Cipher cipher(int mode, AesKey key, byte[] nonce, byte[] place)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(TRANSFORMATION);
    cipher.init(mode, key.secret(), new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(place);
    return cipher;
  }

  /** The ids of its keys, never a key. */
  @Override
  public String toString() {
    return "%s writing with the key '%s', reading with %s".formatted(ID, keyId, keys.keySet());
  }
}
