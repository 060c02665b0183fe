package holdfast.jdbc;

import java.sql.Connection;

/** How much a transaction sees of others that run beside it. */
public enum Isolation {
  /** Each statement sees what was committed before it began. */
  READ_COMMITTED(Connection.TRANSACTION_READ_COMMITTED),

  /** Every statement sees what was committed before the transaction's first one. */
  REPEATABLE_READ(Connection.TRANSACTION_REPEATABLE_READ),

  /** The outcome is as if transactions ran one after the other; some are refused for it. */
  SERIALIZABLE(Connection.TRANSACTION_SERIALIZABLE);

  private final int level;

  Isolation(int level) {
    this.level = level;
  }

  int level() {
    return level;
  }
}
