package failover.store.encryption;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** A key for AES, and a few bytes by which another key is noticed. Never shown. Immutable. */
final class AesKey {
  /** How many bytes tell keys apart. */
  static final int CHECK_BYTES = 4;

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,32}");

  private final SecretKey secret;
  private final byte[] check;

  private AesKey(SecretKey secret, byte[] check) {
    this.secret = secret;
    this.check = check;
  }

  static boolean isId(String id) {
    return ID.matcher(id).matches();
  }

  /**
   * The key in a text.
   *
   * @throws IllegalArgumentException if it is none; the message does not quote it
   */
  static AesKey of(String id, String base64) {
    if (!isId(id)) {
      throw new IllegalArgumentException(
          "the id of a key must have 1 to 32 letters, digits, dots, dashes and underscores but has %d characters or others"
              .formatted(id.length()));
    }
    byte[] bytes = decoded(id, base64);
    if (bytes.length != 16 && bytes.length != 24 && bytes.length != 32) {
      Arrays.fill(bytes, (byte) 0);
      throw new IllegalArgumentException(
          "the key '%s' must be 16, 24 or 32 bytes in Base64 but is %d bytes; make one with: openssl rand -base64 32"
              .formatted(id, bytes.length));
    }
    SecretKey secret = new SecretKeySpec(bytes, "AES");
    byte[] check = check(bytes);
    Arrays.fill(bytes, (byte) 0);
    return new AesKey(secret, check);
  }

  /** What the decoder throws quotes a character of the key, so it is not passed on. */
  private static byte[] decoded(String id, String base64) {
    try {
      return Base64.getDecoder().decode(base64.strip());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the key '%s' must be 16, 24 or 32 bytes in Base64 but is not Base64; make one with: openssl rand -base64 32"
              .formatted(id));
    }
  }

  private static byte[] check(byte[] key) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      byte[] all = mac.doFinal("failover key check".getBytes(StandardCharsets.US_ASCII));
      return Arrays.copyOf(all, CHECK_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256, but this one does not", e);
    }
  }

  SecretKey secret() {
    return secret;
  }

  byte[] check() {
    return check;
  }
}
