package eventbus.spring;

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
 */
final class TransactionEnd implements TransactionSynchronization {
  private static final System.Logger LOG = System.getLogger("eventbus");

  private final Object key;
  private final List<Runnable> callbacks = new ArrayList<>();
  private final IdentityHashMap<Object, Integer> callbacksAt = new IdentityHashMap<>();
  private boolean sawTheEndComing;
  private boolean committed;

  TransactionEnd(Object key) {
    this.key = key;
  }

  /** Whether it has committed: what others do after that is in no transaction. */
  boolean isCommitted() {
    return committed;
  }

  void afterCommit(Runnable callback) {
    callbacks.add(callback);
  }

  /** Before all others, so that they find the transaction committed once it is. */
  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE;
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
    callbacksAt.put(savepoint, callbacks.size());
  }

  /** Forgets what came after the savepoint: all of it, if the savepoint was there first. */
  @Override
  public void savepointRollback(Object savepoint) {
    int kept = callbacksAt.getOrDefault(savepoint, 0);
    callbacks.subList(kept, callbacks.size()).clear();
    callbacksAt.values().removeIf(count -> count > kept);
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
      callbacks.forEach(Runnable::run);
    } else if (status == STATUS_COMMITTED && !callbacks.isEmpty()) {
      // The pool's connection decides whether they are in the table; nobody here can know.
      LOG.log(
          ERROR,
          "eventbus events published after the commit of their transaction, times="
              + callbacks.size()
              + "; they may be lost: add SpringTransaction to the transaction manager's listeners,"
              + " or publish with REQUIRES_NEW");
    }
    // Unknown: whether the rows are there only the table knows, and the workers' next look sees.
  }
}
