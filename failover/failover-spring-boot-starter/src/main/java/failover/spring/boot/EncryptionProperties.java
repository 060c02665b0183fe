package failover.spring.boot;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings {@code failover.store.encryption.*}. Not safe for use by many threads. */
public class EncryptionProperties {
  /** Whether answers are encrypted when they are written; false unless set. */
  private @Nullable Boolean enabled;

  /**
   * Id of the cipher that writes: that of a PayloadCipher bean, aesgcm, or b64, which is no
   * encryption. The bean's unless set, aesgcm if there is none.
   */
  private @Nullable String cipher;

  /** Key of aesgcm, 16, 24 or 32 random bytes in Base64. Also reads where nothing is encrypted. */
  private @Nullable String key;

  /** Name of the key, stored with every answer; a new key needs a new one. */
  private String keyId = "1";

  /** Earlier keys by their names, which read only. */
  private final Map<String, String> previousKeys = new LinkedHashMap<>();

  /** Whether stored answers that are not encrypted are read. */
  private boolean acceptPlain = true;

  /** The defaults. */
  public EncryptionProperties() {}

  /** Whether answers are encrypted when they are written; false unless set. */
  public @Nullable Boolean getEnabled() {
    return enabled;
  }

  /** Whether answers are encrypted when they are written; false unless set. */
  public void setEnabled(@Nullable Boolean enabled) {
    this.enabled = enabled;
  }

  /** Id of the cipher that writes. */
  public @Nullable String getCipher() {
    return cipher;
  }

  /** Id of the cipher that writes. */
  public void setCipher(@Nullable String cipher) {
    this.cipher = cipher;
  }

  /** Key of aesgcm, 16, 24 or 32 random bytes in Base64. */
  public @Nullable String getKey() {
    return key;
  }

  /** Key of aesgcm, 16, 24 or 32 random bytes in Base64. */
  public void setKey(@Nullable String key) {
    this.key = key;
  }

  /** Name of the key, stored with every answer; a new key needs a new one. */
  public String getKeyId() {
    return keyId;
  }

  /** Name of the key, stored with every answer; a new key needs a new one. */
  public void setKeyId(String keyId) {
    this.keyId = keyId;
  }

  /** Earlier keys by their names, which read only. */
  public Map<String, String> getPreviousKeys() {
    return previousKeys;
  }

  /** Whether stored answers that are not encrypted are read. */
  public boolean isAcceptPlain() {
    return acceptPlain;
  }

  /** Whether stored answers that are not encrypted are read. */
  public void setAcceptPlain(boolean acceptPlain) {
    this.acceptPlain = acceptPlain;
  }
}
