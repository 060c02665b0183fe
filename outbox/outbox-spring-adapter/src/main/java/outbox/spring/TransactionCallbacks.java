package outbox.spring;

import static java.lang.System.Logger.Level.ERROR;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * What waits for the end of one transaction. Bound to the thread while its transaction is, so that
 * a transaction that suspends this one gets its own. Confined to the thread of the transaction.
 *
 * <p>Callbacks run at the completion, not in {@code afterCommit}: what another library throws there
 * keeps later ones from being called, and the completion says whether the outcome is known.
 */
final class TransactionCallbacks implements TransactionSynchronization {
  private static final System.Logger LOG = System.getLogger("outbox");

  private final Object key;
  private final List<Runnable> afterCommit = new ArrayList<>();
  private final List<Runnable> afterRollback = new ArrayList<>();
  private final IdentityHashMap<Object, Integer> callbacksAt = new IdentityHashMap<>();
  private boolean committed;

  TransactionCallbacks(Object key) {
    this.key = key;
  }

  void afterCommit(Runnable callback) {
    afterCommit.add(callback);
  }

  void afterRollback(Runnable callback) {
    afterRollback.add(callback);
  }

  /** Before all others, so that they find the transaction committed once it is. */
  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE;
  }

  TransactionCallbacks stillOpen() {
    if (committed) {
      throw new IllegalStateException(
          "the transaction must not have ended but it has committed; what runs after a commit"
              + " publishes in a transaction of its own, with Propagation.REQUIRES_NEW");
    }
    return this;
  }

  @Override
  public void suspend() {
    TransactionSynchronizationManager.unbindResource(key);
  }

  @Override
  public void resume() {
    TransactionSynchronizationManager.bindResource(key, this);
  }

  @Override
  public void savepoint(Object savepoint) {
    callbacksAt.put(savepoint, afterCommit.size());
  }

  /** Forgets what came after the savepoint: all of it, if the savepoint was there first. */
  @Override
  public void savepointRollback(Object savepoint) {
    int kept = callbacksAt.getOrDefault(savepoint, 0);
    afterCommit.subList(Math.min(kept, afterCommit.size()), afterCommit.size()).clear();
    callbacksAt.values().removeIf(count -> count > kept);
  }

  @Override
  public void afterCommit() {
    committed = true;
  }

  @Override
  public void afterCompletion(int status) {
    TransactionSynchronizationManager.unbindResourceIfPossible(key);
    if (status == STATUS_COMMITTED) {
      runAll(afterCommit);
    } else if (status == STATUS_ROLLED_BACK) {
      runAll(afterRollback);
    }
    // Unknown: whether the rows are there, only the table knows, and the poller asks it.
  }

  private static void runAll(List<Runnable> callbacks) {
    for (Runnable callback : callbacks) {
      try {
        callback.run();
      } catch (RuntimeException e) {
        LOG.log(ERROR, "outbox callback failed; the others still run", e);
      }
    }
  }
}
