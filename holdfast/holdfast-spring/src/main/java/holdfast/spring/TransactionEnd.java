package holdfast.spring;

import static java.lang.System.Logger.Level.ERROR;

import holdfast.jdbc.CommitCallbacks;
import holdfast.log.LibraryLogger;
import java.util.IdentityHashMap;
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
public final class TransactionEnd implements TransactionSynchronization {
  private final Object key;
  private final TransactionWords words;
  private final CommitCallbacks callbacks;
  private final IdentityHashMap<Object, Integer> callbacksAt = new IdentityHashMap<>();
  private boolean sawTheEndComing;
  private boolean committed;

  TransactionEnd(Object key, TransactionWords words) {
    this.key = key;
    this.words = words;
    this.callbacks = new CommitCallbacks(words.library());
  }

  /** What is to be called. */
  public CommitCallbacks callbacks() {
    return callbacks;
  }

  /** Whether it has committed: what others do after that is in no transaction. */
  public boolean isCommitted() {
    return committed;
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
      // The pool's connection decides whether they are in the table; nobody here can know.
      LibraryLogger.of(words.library())
          .log(
              ERROR,
              words.library()
                  + " events published after the commit of their transaction, times="
                  + callbacks.count()
                  + "; they may be lost: "
                  + words.late());
    } else if (status == STATUS_ROLLED_BACK) {
      callbacks.rolledBack();
    }
    // Unknown: whether the rows are there only the table knows, and whoever looks next will see.
  }
}
