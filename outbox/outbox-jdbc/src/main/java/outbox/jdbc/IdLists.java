package outbox.jdbc;

import holdfast.jdbc.Sql;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;

/**
 * Lists of ids in statements, filled up to the next power of two with the last id, so that the
 * database sees a handful of statements instead of one for each length. Stateless.
 */
final class IdLists {
  private IdLists() {}

  static String placeholders(int ids) {
    return String.join(", ", Collections.nCopies(padded(ids), "?"));
  }

  static void bind(Sql sql, List<String> ids) throws SQLException {
    for (String id : ids) {
      sql.bind(id);
    }
    for (int i = ids.size(); i < padded(ids.size()); i++) {
      sql.bind(ids.get(ids.size() - 1));
    }
  }

  private static int padded(int ids) {
    return ids <= 1 ? 1 : Integer.highestOneBit(ids - 1) << 1;
  }
}
