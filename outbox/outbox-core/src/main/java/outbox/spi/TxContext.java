package outbox.spi;

import java.sql.Connection;

/** The transaction of the calling thread. Must be safe for use by many threads. */
public interface TxContext {

  /** Whether the calling thread is inside a transaction. */
  boolean isTransactionActive();

  /**
   * The connection of the calling thread's transaction, the same that business code uses.
   *
   * @return the connection; the caller must not close it
   * @throws IllegalStateException if there is no transaction
   */
  Connection currentConnection();

  /**
   * Has something run once the transaction has committed, and only then.
   *
   * @param callback what to run; if it throws, the other callbacks still run
   */
  void afterCommit(Runnable callback);

  /**
   * The same, with a question to be asked before the commit: databases may give a transaction up
   * after an error that was caught, and let its commit pass. Unless a context overrides this, the
   * question is not asked.
   *
   * @param callback what to run after the commit
   * @param check throws if the transaction is lost, which then must be rolled back instead of
   *     committed; of all callbacks that wait when the commit begins, the first one's is asked
   */
  default void afterCommit(Runnable callback, Runnable check) {
    afterCommit(callback);
  }

  /**
   * Has something run once the transaction has rolled back.
   *
   * @param callback what to run; if it throws, the other callbacks still run
   */
  void afterRollback(Runnable callback);

  /**
   * Whether a savepoint is open whose rollback would not take its callbacks with it; an event
   * published there is left to the poller.
   */
  default boolean hasUnseenSavepoint() {
    return false;
  }
}
