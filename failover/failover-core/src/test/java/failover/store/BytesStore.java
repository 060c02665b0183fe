package failover.store;

import failover.key.StoreKey;
import failover.store.ReferentialPayload.Payload;
import java.util.Optional;

/** A store that is taken to be far away and has nothing but the bytes of answers, as a table. */
public final class BytesStore extends ForwardingFailoverStore {

  /** Nothing stored yet. */
  public BytesStore() {
    super(new InMemoryFailoverStore());
  }

  @Override
  public boolean isInProcess() {
    return false;
  }

  @Override
  public void store(ReferentialPayload answer) {
    Payload payload = answer.payload();
    target.store(
        payload.isTombstone()
            ? answer
            : new ReferentialPayload(
                answer.key(),
                answer.asOf(),
                answer.expireOn(),
                Payload.ofBytes(payload.type(), payload.schemaVersion(), payload.bytes())));
  }

  @Override
  public void delete(StoreKey key) {
    target.delete(key);
  }

  @Override
  public Optional<ReferentialPayload> find(StoreKey key) {
    return target.find(key);
  }
}
