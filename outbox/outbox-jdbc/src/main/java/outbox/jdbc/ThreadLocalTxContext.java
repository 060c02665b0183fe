package outbox.jdbc;

import holdfast.jdbc.CommitCallbacks;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;
import outbox.spi.TxContext;

/**
 * The transaction that {@link JdbcTransactionManager} began on the calling thread. Safe for use by
 * many threads; each sees its own.
 */
public final class ThreadLocalTxContext implements TxContext {
  @SuppressWarnings("ThreadLocalUsage") // one per context: an application may have two databases
  private final ThreadLocal<@Nullable Current> current = new ThreadLocal<>();

  /** A context with no transaction on any thread. */
  public ThreadLocalTxContext() {}

  @Override
  public boolean isTransactionActive() {
    return current.get() != null;
  }

  @Override
  public Connection currentConnection() {
    return required().connection;
  }

  @Override
  public void afterCommit(Runnable callback) {
    afterCommit(callback, () -> {});
  }

  @Override
  public void afterCommit(Runnable callback, Runnable check) {
    required().callbacks.afterCommit(callback, check);
  }

  @Override
  public void afterRollback(Runnable callback) {
    required().callbacks.afterRollback(callback);
  }

  private Current required() {
    Current now = current.get();
    if (now == null) {
      throw new IllegalStateException(
          "a transaction must be active on this thread but there is none; begin one with"
              + " JdbcTransactionManager");
    }
    return now;
  }

  /** Begins a transaction on the calling thread. */
  Current bind(Connection connection, Runnable rollback) {
    if (current.get() != null) {
      throw new IllegalStateException(
          "a thread must have one transaction at a time but this one has one already; commit or"
              + " roll it back first");
    }
    Current bound = new Current(connection, rollback);
    current.set(bound);
    return bound;
  }

  /** Ends the transaction of the calling thread. */
  void unbind() {
    current.remove();
  }

  /**
   * Rolls back what the calling thread has begun and not ended, where the next event would find it
   * and publish into it.
   *
   * @throws IllegalStateException if there was such: what was written is not committed
   */
  void requireNoneForgotten() {
    Current forgotten = current.get();
    if (forgotten != null) {
      forgotten.rollback.run();
      throw new IllegalStateException(
          "a listener must end the transaction it begins but one was left open and has been rolled"
              + " back; use try-with-resources and commit()");
    }
  }

  /** A transaction and what waits for its end. Confined to one thread. */
  static final class Current {
    private final Connection connection;
    private final Runnable rollback;
    private final CommitCallbacks callbacks = new CommitCallbacks("outbox");

    Current(Connection connection, Runnable rollback) {
      this.connection = connection;
      this.rollback = rollback;
    }

    CommitCallbacks callbacks() {
      return callbacks;
    }
  }
}
