package outbox.memory;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import outbox.spi.TxContext;

/** Transactions of the calling thread on connections in memory. Safe for use by many threads. */
public final class MemoryTransactions implements TxContext {
  private static final class Open {
    final Connection connection = MemoryConnection.open();
    final List<Runnable> afterCommit = new ArrayList<>();
    final List<Runnable> afterRollback = new ArrayList<>();
  }

  private final ThreadLocal<Open> current = new ThreadLocal<>();

  /** Does the work in a transaction and commits it. */
  public <T> T commit(Supplier<T> work) {
    return run(work, true);
  }

  /** Does the work in a transaction and rolls it back. */
  public <T> T rollBack(Supplier<T> work) {
    return run(work, false);
  }

  private <T> T run(Supplier<T> work, boolean commits) {
    Open open = new Open();
    current.set(open);
    T result;
    try {
      open.connection.setAutoCommit(false);
      result = work.get();
      if (commits) {
        open.connection.commit();
      } else {
        open.connection.rollback();
      }
      open.connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } finally {
      current.remove();
    }
    (commits ? open.afterCommit : open.afterRollback).forEach(Runnable::run);
    return result;
  }

  @Override
  public boolean isTransactionActive() {
    return current.get() != null;
  }

  @Override
  public Connection currentConnection() {
    return current.get().connection;
  }

  @Override
  public void afterCommit(Runnable callback) {
    current.get().afterCommit.add(callback);
  }

  @Override
  public void afterRollback(Runnable callback) {
    current.get().afterRollback.add(callback);
  }
}
