package outbox.jdbc;

import static java.lang.System.Logger.Level.ERROR;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.spi.TxContext;

/**
 * The transaction that {@link JdbcTransactionManager} began on the calling thread. Safe for use by
 * many threads; each sees its own.
 */
public final class ThreadLocalTxContext implements TxContext {
  private static final System.Logger LOG = System.getLogger("outbox");

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
    required().afterCommit.add(callback);
  }

  @Override
  public void afterRollback(Runnable callback) {
    required().afterRollback.add(callback);
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
  Current bind(Connection connection) {
    if (current.get() != null) {
      throw new IllegalStateException(
          "a thread must have one transaction at a time but this one has one already; commit or"
              + " roll it back first");
    }
    Current bound = new Current(connection);
    current.set(bound);
    return bound;
  }

  /** Ends the transaction of the calling thread. */
  void unbind() {
    current.remove();
  }

  /** A transaction and what waits for its end. Confined to one thread. */
  static final class Current {
    private final Connection connection;
    private final List<Runnable> afterCommit = new ArrayList<>();
    private final List<Runnable> afterRollback = new ArrayList<>();

    Current(Connection connection) {
      this.connection = connection;
    }

    void committed() {
      runAll(afterCommit);
    }

    void rolledBack() {
      runAll(afterRollback);
    }

    /** How many callbacks wait now; a savepoint remembers it. */
    int callbacks() {
      return afterCommit.size();
    }

    /** Forgets the callbacks that came after a savepoint; they belong to what it took back. */
    void forgetAfter(int callbacks) {
      List<Runnable> undone = afterCommit.subList(callbacks, afterCommit.size());
      undone.clear();
    }

    private static void runAll(List<Runnable> callbacks) {
      for (Runnable callback : List.copyOf(callbacks)) {
        try {
          callback.run();
        } catch (RuntimeException e) {
          LOG.log(ERROR, "outbox callback failed; the others still run", e);
        }
      }
    }
  }
}
