package holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Updates of rows that a node has claimed. Each changes a row only while the row is open and still
 * has the token of the claim. Ids are locked in one order, so that two updates cannot wait for each
 * other. Safe for use by many threads.
 *
 * @param <K> the ids
 */
public final class LeasedRows<K extends Comparable<K>> {
  private static final String RENEW = "available_at = {nowPlus}, claimed_by = ?";
  private static final String START = RENEW + ", lapses = lapses + ?, suspect_group = ?";

  /**
   * Takes back what was counted when the only suspect started, to be bound as 1 or 0; a suspect it
   * stays.
   */
  public static final String UNCOUNT = ", lapses = GREATEST(LEAST(lapses, 1), lapses - ?)";

  /** Ends the suspicion. */
  public static final String CLEAR = ", lapses = 0, suspect_group = 0";

  private final SqlTable table;
  private final String rows;
  private final String idColumn;
  private final String open;
  private final RowReader<K> id;

  /**
   * A claimed row. Immutable.
   *
   * @param id the event
   * @param token the token of the claim
   * @param <K> the ids
   */
  public record Leased<K>(K id, long token) {}

  /** Binds what comes before the token and the ids. */
  @FunctionalInterface
  public interface Values {

    /** Binds them, in the order of the text. */
    void bind(Sql sql) throws SQLException;
  }

  /**
   * Creates the updates of a library's rows.
   *
   * @param table the library's tables
   * @param rows the word for the table with the rows, in braces
   * @param idColumn the column of their ids
   * @param open the condition on rows that can be claimed
   * @param id reads an id
   */
  public LeasedRows(SqlTable table, String rows, String idColumn, String open, RowReader<K> id) {
    this.table = table;
    this.rows = rows;
    this.idColumn = idColumn;
    this.open = open;
    this.id = id;
  }

  /**
   * Updates rows.
   *
   * @param set what to set, as after the word SET
   * @param leased the rows
   * @param values binds the values in {@code set}
   * @return how many were changed
   */
  public int update(Connection conn, String set, Collection<Leased<K>> leased, Values values)
      throws SQLException {
    String text = "UPDATE " + rows + " e {byId} SET " + set + where(open);
    int changed = 0;
    for (Map.Entry<Long, List<K>> group : byToken(leased).entrySet()) {
      try (Sql sql = table.sqlAmong(conn, text, group.getValue().size())) {
        values.bind(sql);
        changed += sql.bind(group.getKey()).bindAll(group.getValue()).update();
      }
    }
    return changed;
  }

  /** Binds the current time, for a text with {@code {nowPlus}} and no other value. */
  public void bindNow(Sql sql) throws SQLException {
    sql.bind(table.clock().now());
  }

  /** Updates one row; returns whether it was changed. */
  public boolean update(Connection conn, String set, Leased<K> leased, Values values)
      throws SQLException {
    return update(conn, set, List.of(leased), values) > 0;
  }

  /** Renews leases and returns the ids that this node no longer has. */
  public Set<K> renew(Connection conn, Collection<Leased<K>> leased, String node, Duration lease)
      throws SQLException {
    long micros = table.clock().micros(lease);
    int renewed = update(conn, RENEW, leased, sql -> sql.bind(micros).bind(node));
    return renewed == leased.size() ? Set.of() : allBut(conn, open, leased);
  }

  /**
   * Returns the ids of all rows but those that have the token of their claim and fulfil a
   * condition.
   *
   * @param condition the condition, on the table {@code e}
   */
  public Set<K> allBut(Connection conn, String condition, Collection<Leased<K>> leased)
      throws SQLException {
    Set<K> lost = leased.stream().map(Leased::id).collect(Collectors.toCollection(HashSet::new));
    String text = "SELECT e." + idColumn + " FROM " + rows + " e {byId}" + where(condition);
    for (Map.Entry<Long, List<K>> group : byToken(leased).entrySet()) {
      try (Sql sql = table.sqlAmong(conn, text, group.getValue().size())) {
        sql.bind(group.getKey()).bindAll(group.getValue()).list(id).forEach(lost::remove);
      }
    }
    return lost;
  }

  /**
   * Renews a lease right before the handlers run.
   *
   * @param suspectGroup the size of the group that a suspect begins in, which is noted; the start
   *     of the only one is counted; 0 for others
   */
  public boolean start(
      Connection conn, Leased<K> leased, String node, Duration lease, int suspectGroup)
      throws SQLException {
    long micros = table.clock().micros(lease);
    int counted = suspectGroup == 1 ? 1 : 0;
    return update(
        conn, START, leased, sql -> sql.bind(micros).bind(node).bind(counted).bind(suspectGroup));
  }

  private static String where(String condition) {
    return " WHERE e.claim_token = ? AND " + condition + " AND {among}";
  }

  private static <K extends Comparable<K>> Map<Long, List<K>> byToken(
      Collection<Leased<K>> leased) {
    return leased.stream()
        .sorted((a, b) -> a.id().compareTo(b.id()))
        .collect(
            Collectors.groupingBy(
                Leased::token, TreeMap::new, Collectors.mapping(Leased::id, Collectors.toList())));
  }
}
