package failover.store;

import failover.key.StoreKey;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A store in memory that notes what it is asked, and is taken to be far away if told so. */
public final class CountingStore extends ForwardingFailoverStore {
  /** What was asked of it, with how many answers or keys. */
  public final List<String> operations = new CopyOnWriteArrayList<>();

  /** Whether it is taken to be in another process. */
  public volatile boolean isFar;

  /** Whether it has copies of everything near. */
  public volatile boolean hasCopies;

  /** Whether it fails. */
  public volatile boolean isBroken;

  /** A store that is near. */
  public CountingStore() {
    super(new InMemoryFailoverStore());
  }

  private void note(String operation) {
    operations.add(operation);
    if (isBroken) {
      throw new FailoverStoreException("told to fail", null);
    }
  }

  @Override
  public boolean isInProcess() {
    return !isFar;
  }

  @Override
  public void store(ReferentialPayload answer) {
    note("store");
    target.store(answer);
  }

  @Override
  public void storeAll(Collection<ReferentialPayload> answers) {
    note("storeAll " + answers.size());
    target.storeAll(answers);
  }

  @Override
  public void delete(StoreKey key) {
    note("delete");
    target.delete(key);
  }

  @Override
  public Optional<ReferentialPayload> find(StoreKey key) {
    note("find");
    return target.find(key);
  }

  @Override
  public Optional<ReferentialPayload> findNear(StoreKey key) {
    return hasCopies ? target.find(key) : Optional.empty();
  }

  @Override
  public List<ReferentialPayload> findAll(Collection<StoreKey> keys) {
    note("findAll " + keys.size());
    return target.findAll(keys);
  }

  @Override
  public List<ReferentialPayload> findAllBehind(Collection<StoreKey> keys) {
    note("findAllBehind " + keys.size());
    return List.of();
  }

  @Override
  public List<StoredEntry> entries(String name, int limit) {
    note("entries");
    return target.entries(name, limit);
  }
}
