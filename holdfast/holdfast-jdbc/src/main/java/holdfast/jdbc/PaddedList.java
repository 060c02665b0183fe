package holdfast.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;

/**
 * Lists of values in statements, made longer by their last value until there are few lengths.
 * Stateless.
 */
final class PaddedList {
  private PaddedList() {}

  static String placeholders(int count) {
    return String.join(", ", Collections.nCopies(length(count), "?"));
  }

  /** Binds the values and tells how many placeholders that took. */
  static int bind(PreparedStatement statement, int index, List<?> values) throws SQLException {
    int placeholders = length(values.size());
    for (int i = 0; i < placeholders; i++) {
      statement.setObject(index + i, values.get(Math.min(i, values.size() - 1)));
    }
    return placeholders;
  }

  /** The next power of two. */
  private static int length(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be 1 or more but was " + count);
    }
    return count == 1 ? 1 : Integer.highestOneBit(count - 1) << 1;
  }
}
