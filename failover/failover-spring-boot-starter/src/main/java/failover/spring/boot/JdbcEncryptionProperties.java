package failover.spring.boot;

import org.jspecify.annotations.Nullable;

/**
 * The settings {@code failover.store.jdbc.encryption.*}, other names of those in {@link
 * EncryptionProperties}. Not safe for use by many threads.
 */
public class JdbcEncryptionProperties {
  /** Another name of failover.store.encryption.enabled. */
  private @Nullable Boolean enabled;

  /** Another name of failover.store.encryption.cipher. */
  private @Nullable String cipher;

  /** Another name of failover.store.encryption.key. */
  private @Nullable String key;

  /** The defaults. */
  public JdbcEncryptionProperties() {}

  /** Another name of failover.store.encryption.enabled. */
  public @Nullable Boolean getEnabled() {
    return enabled;
  }

  /** Another name of failover.store.encryption.enabled. */
  public void setEnabled(@Nullable Boolean enabled) {
    this.enabled = enabled;
  }

  /** Another name of failover.store.encryption.cipher. */
  public @Nullable String getCipher() {
    return cipher;
  }

  /** Another name of failover.store.encryption.cipher. */
  public void setCipher(@Nullable String cipher) {
    this.cipher = cipher;
  }

  /** Another name of failover.store.encryption.key. */
  public @Nullable String getKey() {
    return key;
  }

  /** Another name of failover.store.encryption.key. */
  public void setKey(@Nullable String key) {
    this.key = key;
  }
}
