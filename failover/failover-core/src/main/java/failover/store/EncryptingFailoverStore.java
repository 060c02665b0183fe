package failover.store;

import failover.key.StoreKey;
import failover.store.ReferentialPayload.Payload;
import failover.store.encryption.Base64PayloadCipher;
import failover.store.encryption.PayloadCipher;
import failover.store.encryption.PayloadEncryption;
import failover.store.encryption.UnreadableContentException;
import failover.store.encryption.UnreadableContentException.Reason;
import holdfast.log.LibraryLogger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A store that encrypts contents before they go to another one, and decrypts what that one returns.
 * Stands directly before the store that leaves the process, so that copies near by stay as they
 * are. As safe for use by many threads as the other one.
 *
 * <p>A content is bound to its row: effective name, id of the key, schema version, and whether it
 * is a tombstone. What was moved, changed, cut off or encrypted with an unknown key is found as an
 * answer that {@linkplain Payload#isDamaged cannot be read}, and counted. Names, ids, moments,
 * types and sizes are not encrypted.
 */
public final class EncryptingFailoverStore extends ForwardingFailoverStore {
  private static final System.Logger LOGGER = LibraryLogger.of("failover");

  private final PayloadEncryption encryption;
  private final Map<Reason, Long> unreadable = new ConcurrentHashMap<>();

  /**
   * Encryption with one cipher before a store, which is closed with this one. Plain contents that
   * are there already stay readable.
   */
  public EncryptingFailoverStore(FailoverStore target, PayloadCipher cipher) {
    this(target, PayloadEncryption.with(cipher));
  }

  /** Encryption before a store, which is closed with this one. */
  public EncryptingFailoverStore(FailoverStore target, PayloadEncryption encryption) {
    super(target);
    this.encryption = encryption;
    if (Base64PayloadCipher.ID.equals(encryption.writes())) {
      LOGGER.log(
          Level.WARNING,
          "failover does NOT encrypt stored answers, the cipher b64 is an encoding that anybody can"
              + " read; use aesgcm with a key");
    }
  }

  /**
   * How many contents could not be read since the process began, by reason; reasons without any are
   * left out.
   */
  public Map<Reason, Long> unreadable() {
    return Map.copyOf(unreadable);
  }

  @Override
  public void store(ReferentialPayload answer) {
    target.store(sealed(answer));
  }

  @Override
  public void storeAll(Collection<ReferentialPayload> answers) {
    target.storeAll(answers.stream().map(this::sealed).toList());
  }

  @SuppressWarnings("ReferenceEquality") // the same array: there was nothing to do
  private ReferentialPayload sealed(ReferentialPayload answer) {
    Payload payload = answer.payload();
    byte[] content = payload.bytes();
    byte[] stored = encryption.seal(content, place(answer));
    return stored == content ? answer : with(answer, payload.sealed(stored));
  }

  private static ReferentialPayload with(ReferentialPayload answer, Payload payload) {
    return new ReferentialPayload(answer.key(), answer.asOf(), answer.expireOn(), payload);
  }

  /** What a content is bound to. Each text has its length before it, so that none runs on. */
  private static byte[] place(ReferentialPayload answer) {
    Payload payload = answer.payload();
    byte[] name = answer.key().name().getBytes(StandardCharsets.UTF_8);
    byte[] id = answer.key().id().getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(3 * Integer.BYTES + name.length + id.length + 1)
        .putInt(name.length)
        .put(name)
        .putInt(id.length)
        .put(id)
        .putInt(payload.schemaVersion())
        .put((byte) (payload.isTombstone() ? 1 : 0))
        .array();
  }

  @SuppressWarnings("ReferenceEquality") // as above
  private ReferentialPayload opened(ReferentialPayload answer) {
    Payload payload = answer.payload();
    if (answer.isMadeToExpire()) { // has no content, or one that is not to be given any more
      return with(answer, Payload.removed(payload.type(), payload.schemaVersion()));
    }
    if (payload.value().isPresent()) { // never became bytes
      return answer;
    }
    if (payload.isDamaged()) {
      unreadable.merge(Reason.DAMAGED, 1L, Long::sum);
      return answer;
    }
    try {
      byte[] stored = payload.bytes();
      byte[] content = encryption.open(stored, place(answer));
      return content == stored ? answer : with(answer, payload.opened(content));
    } catch (UnreadableContentException e) {
      unreadable.merge(e.reason(), 1L, Long::sum);
      return with(answer, Payload.unreadable(payload.type(), payload.schemaVersion(), e));
    }
  }

  @Override
  public void delete(StoreKey key) {
    target.delete(key);
  }

  @Override
  public Optional<ReferentialPayload> find(StoreKey key) {
    return target.find(key).map(this::opened);
  }

  @Override
  public Optional<ReferentialPayload> findNear(StoreKey key) {
    return target.findNear(key).map(this::opened);
  }

  @Override
  public Optional<ReferentialPayload> findBehind(StoreKey key) {
    return target.findBehind(key).map(this::opened);
  }

  @Override
  public List<ReferentialPayload> findAllBehind(Collection<StoreKey> keys) {
    return target.findAllBehind(keys).stream().map(this::opened).toList();
  }

  @Override
  public List<ReferentialPayload> findAll(Collection<StoreKey> keys) {
    return target.findAll(keys).stream().map(this::opened).toList();
  }

  @Override
  public Map<StoreKey, Instant> momentsOf(Collection<StoreKey> keys) {
    return target.momentsOf(keys);
  }
}
