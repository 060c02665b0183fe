package failover.store.encryption;

import failover.store.encryption.UnreadableContentException.Reason;
import java.util.Base64;

/**
 * Encodes contents in Base64. This is an encoding and no encryption: anybody can read it, and rows
 * can be swapped. For trying out how encryption is switched on. Safe for use by many threads.
 */
public final class Base64PayloadCipher implements PayloadCipher {
  /** The id of this cipher: {@value}. */
  public static final String ID = "b64";

  /** An encoding; needs no key. */
  public Base64PayloadCipher() {}

  @Override
  public String id() {
    return ID;
  }

  @Override
  public byte[] encrypt(byte[] content, byte[] place) {
    return Base64.getEncoder().encode(content);
  }

  @Override
  public byte[] decrypt(byte[] encrypted, byte[] place) {
    try {
      return Base64.getDecoder().decode(encrypted);
    } catch (IllegalArgumentException e) { // its message would quote the content
      throw new UnreadableContentException(
          Reason.TAMPERED, "a stored answer must be Base64 but is not; it was changed or cut off");
    }
  }
}
