package holdfast.jdbc;

import static holdfast.jdbc.ColumnKind.NUMBER;
import static holdfast.jdbc.Right.DELETE;
import static holdfast.jdbc.Right.INSERT;
import static holdfast.jdbc.Right.SELECT;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Counts what a library accepts, delivers and loses, each in the transaction that does it, and
 * independently of the library's rows. So a row that is deleted or inserted by hand shows in the
 * ledger. Safe for use by many threads.
 *
 * <p>The counter is the sum of a small table, to which each transaction adds a row. No transaction
 * changes a row of another, so none waits for another. {@link #fold(Connection)} replaces many rows
 * by one with their sum.
 */
public final class LedgerCounters {
  /** How many rows are replaced by one in a transaction. */
  static final int BATCH = 5_000;

  /** Fewer rows than this are left as they are. */
  static final int WORTH_FOLDING = 200;

  /** In a row, so that the thread comes back to its other work soon. */
  private static final int MOST_BATCHES = 4;

  private static final List<String> COLUMNS = List.of("accepted", "delivered", "lost");
  private static final String COUNT = "SELECT COUNT(*) FROM (SELECT 1 FROM {counts} c LIMIT ?) few";
  private static final String ADD_SUMS =
      """
      INSERT INTO {counts} (accepted, delivered, lost)
      SELECT SUM(gone.accepted), SUM(gone.delivered), SUM(gone.lost) FROM gone HAVING COUNT(*) > 0
      """;
  private static final String LOCK =
      """
      SELECT c.id, c.accepted, c.delivered, c.lost FROM {counts} c {byId}
       ORDER BY c.id LIMIT ? {lock}
      """;
  private static final String ADD =
      "INSERT INTO {counts} (accepted, delivered, lost) VALUES (?, ?, ?)";
  // One by one, though they are locked already: for a range MariaDB also locks the row after it.
  private static final String REMOVE = "DELETE FROM {counts} WHERE id = ?";

  private final SqlTable table;
  private final TableName name;
  private final ConcurrentMap<String, String> counting = new ConcurrentHashMap<>();

  /** What is counted. */
  public enum Counter {
    /** Events that were published. */
    ACCEPTED,
    /** Events that reached their destination. */
    DELIVERED,
    /** Events that are gone for good. */
    LOST;

    private final String add =
        "INSERT INTO {counts} (" + name().toLowerCase(Locale.ROOT) + ") VALUES (?)";
  }

  private record Counts(long id, long accepted, long delivered, long lost) {}

  /**
   * Creates the counters of a library.
   *
   * @param table the library's tables, of which {@code {counts}} is this one
   * @param events the table of the events, from which the name of this one is made
   */
  public LedgerCounters(SqlTable table, TableName events) {
    this.table = table;
    this.name = counts(events);
  }

  /** Returns the table of counters beside a table of events. */
  public static TableName counts(TableName events) {
    return new TableName(events.schema(), events.name() + "_count");
  }

  /**
   * Checks the table.
   *
   * @param check a check of this table
   * @param claims whether the node takes events, and not only publishes
   * @throws TableException if it is not as it must be
   * @throws SQLException if the database fails
   */
  public static void require(TableCheck check, Connection conn, Dialect dialect, boolean claims)
      throws SQLException {
    check.columns(NUMBER, COLUMNS.toArray(String[]::new)).rights("accepted", SELECT, INSERT);
    if (claims) {
      check.rights("accepted", DELETE);
    }
    check.require(conn, dialect);
  }

  /**
   * Returns whether an INSERT can count its events itself, as {@link #counting} has it; elsewhere
   * {@link #add} does it.
   */
  public boolean countsInInsert() {
    return table.dialect().supportsChangesInWith();
  }

  /**
   * Returns an INSERT that also counts its events as accepted. It has one placeholder more, before
   * all others: how many events there are, a long.
   */
  public String counting(String insert) {
    return counting.computeIfAbsent(
        insert, text -> "WITH counted AS (" + table.fill(Counter.ACCEPTED.add) + ")\n" + text);
  }

  /** Counts events, in the transaction of the connection. */
  public void add(Connection conn, Counter counter, long events) throws SQLException {
    if (events != 0) {
      try (Sql sql = table.sql(conn, counter.add)) {
        sql.bind(events).update();
      }
    }
  }

  /**
   * Replaces many rows by one with their sum, in short transactions. Rows of open transactions are
   * left for the next time; so are those that another node replaces.
   *
   * @return whether so many are left that the next time should come soon
   */
  boolean fold(Transactions transactions) throws SQLException {
    boolean full = true;
    for (int i = 0; i < MOST_BATCHES && full; i++) {
      full = transactions.call(this::fold);
    }
    return full;
  }

  /**
   * Replaces rows by one with their sum, if there are many, in the transaction of the connection,
   * which should have no other work and read what is committed. Waits for no lock.
   *
   * @return whether many are left
   */
  public boolean fold(Connection conn) throws SQLException {
    return has(conn, WORTH_FOLDING) && foldBatch(conn) && has(conn, BATCH);
  }

  private boolean has(Connection conn, int rows) throws SQLException {
    try (Sql sql = table.sql(conn, COUNT)) {
      return sql.bind(rows).first(Row::intValue).orElse(0) == rows;
    }
  }

  /** Returns whether there were rows that nobody had locked. */
  private boolean foldBatch(Connection conn) throws SQLException {
    Dialect dialect = table.dialect();
    if (!dialect.supportsChangesInWith()) {
      List<Counts> rows = lock(conn);
      replace(conn, rows);
      return !rows.isEmpty();
    }
    String gone = "WITH gone AS (" + dialect.deleteUnlocked(name, COLUMNS) + ")\n";
    try (Sql sql = dialect.sql(conn, gone + table.fill(ADD_SUMS))) {
      return sql.bind(BATCH).update() > 0;
    }
  }

  private List<Counts> lock(Connection conn) throws SQLException {
    try (Sql sql = table.sql(conn, LOCK)) {
      return sql.bind(BATCH)
          .list(
              row ->
                  new Counts(row.longValue(), row.longValue(), row.longValue(), row.longValue()));
    }
  }

  private void replace(Connection conn, List<Counts> rows) throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    try (Sql sql = table.sql(conn, REMOVE)) {
      for (Counts row : rows) {
        sql.bind(row.id()).addBatch();
      }
      sql.updateBatch();
    }
    try (Sql sql = table.sql(conn, ADD)) {
      sql.bind(rows.stream().mapToLong(Counts::accepted).sum())
          .bind(rows.stream().mapToLong(Counts::delivered).sum())
          .bind(rows.stream().mapToLong(Counts::lost).sum())
          .update();
    }
  }
}
