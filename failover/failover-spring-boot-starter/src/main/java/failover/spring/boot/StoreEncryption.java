package failover.spring.boot;

import failover.store.EncryptingFailoverStore;
import failover.store.FailoverStore;
import failover.store.encryption.AesGcmPayloadCipher;
import failover.store.encryption.Base64PayloadCipher;
import failover.store.encryption.PayloadCipher;
import failover.store.encryption.PayloadEncryption;
import failover.store.encryption.UnreadableContentException.Reason;
import holdfast.spring.boot.PropertyChecks;
import holdfast.spring.boot.StartException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Encryption as the settings and the {@link PayloadCipher} beans say, put before one store. Not
 * safe for use by many threads but for {@link #unreadable}.
 */
final class StoreEncryption {
  private static final String PREFIX = "store.encryption.";

  private final StoreProperties properties;
  private final boolean isOn;
  private final Map<String, PayloadCipher> ciphers = new LinkedHashMap<>();
  private final PayloadEncryption encryption;
  private volatile @Nullable EncryptingFailoverStore store;

  /**
   * Reads the settings.
   *
   * @param properties the settings of the store
   * @param beans the ciphers of the application
   * @throws StartException if they contradict each other, or a key or cipher is not as it must be
   */
  StoreEncryption(StoreProperties properties, List<PayloadCipher> beans) {
    this.properties = properties;
    EncryptionProperties own = properties.getEncryption();
    JdbcEncryptionProperties alias = properties.getJdbc().getEncryption();
    PropertyChecks checks = new PropertyChecks("failover", "failover");
    this.isOn = Boolean.TRUE.equals(one(checks, "enabled", own.getEnabled(), alias.getEnabled()));
    String cipher = one(checks, "cipher", own.getCipher(), alias.getCipher());
    String key = one(checks, "key", own.getKey(), alias.getKey());
    for (PayloadCipher bean : beans) {
      checks.accepted(PREFIX + "cipher", () -> PayloadEncryption.with(bean));
      add(checks, bean);
    }
    if (key != null) {
      checks.accepted(PREFIX + "key", () -> add(checks, aes(own, key)));
    }
    checks.require(
        key != null || own.getPreviousKeys().isEmpty(),
        PREFIX + "previous-keys",
        "be empty where failover.store.encryption.key is not set",
        own.getPreviousKeys().keySet());
    checks.require(
        isOn || own.isAcceptPlain(),
        PREFIX + "accept-plain",
        "be true where nothing is encrypted",
        own.isAcceptPlain());
    checks.throwIfAny();
    if (own.isAcceptPlain() || Base64PayloadCipher.ID.equals(cipher)) {
      ciphers.putIfAbsent(Base64PayloadCipher.ID, new Base64PayloadCipher());
    }
    this.encryption = isOn ? on(writer(cipher, beans)) : reading(PayloadEncryption.off(), "");
  }

  /** What two names of a setting say; the message shows neither, since it may be a key. */
  private static <T> @Nullable T one(
      PropertyChecks checks, String name, @Nullable T own, @Nullable T alias) {
    if (own != null && alias != null && !Objects.equals(own, alias)) {
      checks.add(
          "failover.store.encryption.%1$s and failover.store.jdbc.encryption.%1$s must be the same but differ; leave one of them out"
              .formatted(name));
    }
    return own == null ? alias : own;
  }

  private void add(PropertyChecks checks, PayloadCipher cipher) {
    if (ciphers.putIfAbsent(cipher.id(), cipher) != null) {
      checks.add(
          "each cipher must have an id of its own but two have '%s'; leave one of the PayloadCipher beans out, or failover.store.encryption.key"
              .formatted(cipher.id()));
    }
  }

  private static AesGcmPayloadCipher aes(EncryptionProperties own, String key) {
    AesGcmPayloadCipher cipher = AesGcmPayloadCipher.of(own.getKeyId(), key);
    for (Map.Entry<String, String> previous : own.getPreviousKeys().entrySet()) {
      cipher = cipher.withPrevious(previous.getKey(), previous.getValue());
    }
    return cipher;
  }

  private PayloadCipher writer(@Nullable String chosen, List<PayloadCipher> beans) {
    String id = chosen;
    if (id == null) {
      id = beans.size() == 1 ? beans.get(0).id() : AesGcmPayloadCipher.ID;
    }
    PayloadCipher writer = ciphers.get(id);
    if (writer != null) {
      return writer;
    }
    if (id.equals(AesGcmPayloadCipher.ID)) {
      throw new StartException(
          "stored answers are to be encrypted but failover.store.encryption.key is not set",
          "set it to 32 random bytes in Base64, as openssl rand -base64 32 makes them, or define a"
              + " PayloadCipher bean");
    }
    List<String> known = new ArrayList<>(new TreeSet<>(ciphers.keySet()));
    if (!known.contains(AesGcmPayloadCipher.ID)) {
      known.add(0, AesGcmPayloadCipher.ID);
    }
    throw new StartException(
        "failover.store.encryption.cipher must be one of %s but was '%s'".formatted(known, id),
        "correct it, or define a PayloadCipher bean with that id");
  }

  private PayloadEncryption on(PayloadCipher writer) {
    PayloadEncryption all = reading(PayloadEncryption.with(writer), writer.id());
    return properties.getEncryption().isAcceptPlain() ? all : all.refusingPlain();
  }

  private PayloadEncryption reading(PayloadEncryption begun, String writer) {
    PayloadEncryption all = begun;
    for (PayloadCipher cipher : ciphers.values()) {
      all = cipher.id().equals(writer) ? all : all.reading(cipher);
    }
    return all;
  }

  /** Whether new answers are encrypted. */
  boolean isOn() {
    return isOn;
  }

  /** A store before that one, which encrypts if that is switched on and reads what is encrypted. */
  FailoverStore before(FailoverStore target) {
    EncryptingFailoverStore made = new EncryptingFailoverStore(target, encryption);
    store = made;
    return made;
  }

  /** Whether answers are encrypted, or some that were may have to be read. */
  boolean isConfigured() {
    return isOn || ciphers.keySet().stream().anyMatch(id -> !id.equals(Base64PayloadCipher.ID));
  }

  /** A store that the application has made itself, encrypted as a whole; any other as it is. */
  FailoverStore complete(FailoverStore bean) {
    StoreType type = properties.getType();
    boolean mayLeaveTheProcess = type == StoreType.CUSTOM || type == StoreType.JDBC;
    boolean isNeeded = isOn || (mayLeaveTheProcess && isConfigured());
    return store == null && isNeeded ? before(bean) : bean;
  }

  /** How many stored answers could not be read for that reason. */
  long unreadable(Reason reason) {
    EncryptingFailoverStore made = store;
    return made == null ? 0 : made.unreadable().getOrDefault(reason, 0L);
  }

  /** What is done when answers are written and read, for people; never a key. */
  @Override
  public String toString() {
    return encryption.toString();
  }
}
