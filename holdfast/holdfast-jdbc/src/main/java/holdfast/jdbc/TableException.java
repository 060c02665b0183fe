package holdfast.jdbc;

import java.sql.SQLException;

/**
 * A table is not as a library needs it: it is missing, lacks columns, has columns of other types,
 * or the user lacks rights on it. The message says which and how to fix it.
 */
public final class TableException extends SQLException {
  private static final long serialVersionUID = 1L;

  private final boolean missing;

  TableException(String message, boolean missing) {
    super(message);
    this.missing = missing;
  }

  /** Returns whether a table does not exist, so that creating it would help. */
  public boolean isMissing() {
    return missing;
  }
}
