package eventbus;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * The transaction that the calling thread is in, where a framework keeps it; events published
 * without a connection join it. Must be safe for use by many threads, each of which has its own.
 */
public interface CurrentTransaction {
  /** Sees none: such events are published in a transaction of their own. */
  CurrentTransaction NONE =
      new CurrentTransaction() {
        @Override
        public @Nullable Connection connection() {
          return null;
        }

        @Override
        public void afterCommit(Runnable callback) {
          throw new IllegalStateException("there must be a transaction but there is none");
        }
      };

  /**
   * The connection of the transaction, autocommit off; the bus neither commits nor closes it.
   *
   * @return the connection, or null if the thread is in no transaction, or in one that has ended
   * @throws IllegalStateException if there is a transaction that events cannot join, with the way
   *     out
   */
  @Nullable Connection connection();

  /**
   * Has something done once the transaction has committed, and never if it is rolled back; called
   * after {@link #connection} has returned one.
   *
   * @param callback what to do; quick, and does not throw
   */
  void afterCommit(Runnable callback);
}
