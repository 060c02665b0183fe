package failover.jdbc;

import failover.key.StoreKey;
import holdfast.jdbc.Row;
import holdfast.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The rows of some keys of one name, read by one statement. */
record BulkRead(String name, Map<String, StoreKey> byId) {
  private static final int MOST = 200;
  private static final int FEW = 10;

  /** Does something with the row of a key. */
  interface Reader<T> {
    T read(Row row, StoreKey key) throws SQLException;
  }

  /** The keys in readings, each of one name and of at most {@value #MOST}. */
  static List<BulkRead> of(Collection<StoreKey> keys) {
    List<BulkRead> all = new ArrayList<>();
    keys.stream()
        .collect(Collectors.groupingBy(StoreKey::name))
        .forEach(
            (name, some) -> {
              for (int from = 0; from < some.size(); from += MOST) {
                Map<String, StoreKey> byId = new LinkedHashMap<>();
                some.subList(from, Math.min(some.size(), from + MOST))
                    .forEach(key -> byId.put(key.id(), key));
                all.add(new BulkRead(name, byId));
              }
            });
    return all;
  }

  <T> int read(Connection connection, Statements statements, boolean withContent, Reader<T> reader)
      throws SQLException {
    int places = byId.size() == 1 ? 1 : byId.size() <= FEW ? FEW : MOST;
    try (Sql sql =
        statements.dialect().sql(connection, statements.findAmong(places, withContent))) {
      sql.bind(name);
      Iterator<String> ids = byId.keySet().iterator();
      String id = "";
      for (int i = 0; i < places; i++) { // the last one again and again: few lengths, few texts
        id = ids.hasNext() ? ids.next() : id;
        sql.bind(id);
      }
      return sql.list(row -> reader.read(row, keyOf(row))).size();
    }
  }

  private StoreKey keyOf(Row row) throws SQLException {
    String id = row.at("FAILOVER_KEY").string();
    StoreKey key = byId.get(id);
    return key == null ? StoreKey.stored(name, id) : key;
  }
}
