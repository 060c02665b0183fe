package outbox.spring;

import static java.lang.System.Logger.Level.ERROR;

import java.util.IdentityHashMap;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import outbox.util.CommitCallbacks;

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
  private final CommitCallbacks callbacks = new CommitCallbacks();
  private final IdentityHashMap<Object, Integer> callbacksAt = new IdentityHashMap<>();
  private boolean sawTheEndComing;
  private boolean committed;

  TransactionCallbacks(Object key) {
    this.key = key;
  }

  CommitCallbacks callbacks() {
    return callbacks;
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
    callbacksAt.put(savepoint, callbacks.count());
  }

  /** Forgets what came after the savepoint: all of it, if the savepoint was there first. */
  @Override
  public void savepointRollback(Object savepoint) {
    int kept = callbacksAt.getOrDefault(savepoint, 0);
    callbacks.forgetAfter(kept);
    callbacksAt.values().removeIf(count -> count > kept);
  }

  /** Throws, so that the transaction is rolled back, if the database has given it up. */
  @Override
  public void beforeCommit(boolean readOnly) {
    callbacks.check();
  }

  @Override
  public void beforeCompletion() {
    sawTheEndComing = true;
  }

  @Override
  public void afterCommit() {
    committed = true;
  }

  @Override
  public void afterCompletion(int status) {
    TransactionSynchronizationManager.unbindResourceIfPossible(key);
    if (status == STATUS_COMMITTED && sawTheEndComing) {
      callbacks.committed();
    } else if (status == STATUS_COMMITTED && callbacks.count() > 0) {
      // Not known to be in the table: the pool's connection decides, and the poller will see.
      LOG.log(
          ERROR,
          "outbox events published after the commit of their transaction, times="
              + callbacks.count()
              + "; they may be lost: publish in a transaction of its own, with REQUIRES_NEW, and add"
              + " SpringTxContext to the transaction manager's listeners to have this refused");
    } else if (status == STATUS_ROLLED_BACK) {
      callbacks.rolledBack();
    }
    // Unknown: whether the rows are there, only the table knows, and the poller asks it.
  }
}
