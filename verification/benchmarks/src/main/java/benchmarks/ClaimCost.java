package benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.TestDatabase;
import holdfast.work.SuspectLimit;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.OutboxSchema;
import outbox.model.ClaimRequest;
import outbox.model.LeaseTerms;

/** What a claim costs when much is pending among much that is done. For one thread. */
final class ClaimCost {
  private static final int BATCH = 200;
  private static final int WARM_UP = 50;
  private static final String FILL =
      """
      INSERT INTO outbox_event (event_id, event_type, payload, status, available_at, created_at,
        done_at)
      SELECT lpad(n::text, 26, '0'), 'Measured', '{"note": "some text of a usual length"}',
             CASE WHEN pending THEN 0 ELSE 1 END, t, t, CASE WHEN pending THEN NULL ELSE t END
        FROM (SELECT n, n > %2$d AND n %% %1$d = 0 AS pending,
                     (now() AT TIME ZONE 'UTC') - (%3$d - n) * INTERVAL '1 millisecond' AS t
                FROM generate_series(1, %3$d) n) numbers
      """;

  private final int pending;
  private final int recent;
  private final int rows;
  private final int claims;

  /**
   * So many pending ones evenly among the recent rows, and older ones that are all done.
   *
   * @param recent how many rows the pending ones are among
   * @param rows how many rows there are in all
   */
  ClaimCost(int pending, int recent, int rows, int claims) {
    this.pending = pending;
    this.recent = recent;
    this.rows = rows;
    this.claims = claims;
  }

  /** One line with the times, then the plans of what was asked. */
  String run() throws SQLException {
    try (TestDatabase database = TestDatabase.open(DatabaseKind.POSTGRESQL);
        HikariDataSource pool = Pools.of(database, 4)) {
      OutboxSchema.createIfMissing(pool, JdbcOutboxRepository.DEFAULT_TABLE);
      try (Connection conn = pool.getConnection();
          Statement statement = conn.createStatement()) {
        statement.execute(FILL.formatted(recent / pending, rows - recent, rows));
        statement.execute("VACUUM ANALYZE outbox_event");
        statement.execute("CHECKPOINT"); // what was just loaded is not to be written meanwhile
      }
      try (Connection conn = pool.getConnection()) {
        conn.setAutoCommit(false);
        return measure(conn) + plans(conn);
      }
    }
  }

  private String measure(Connection conn) throws SQLException {
    JdbcOutboxRepository store = new JdbcOutboxRepository();
    long[] micros = new long[claims];
    for (int i = -WARM_UP; i < claims; i++) {
      long startedAt = System.nanoTime();
      int claimed = store.claim(conn, request(), id -> true).claims().size();
      conn.commit();
      if (claimed != BATCH) {
        throw new IllegalStateException(
            "a claim must find %d events but found %d".formatted(BATCH, claimed));
      }
      if (i >= 0) {
        micros[i] = (System.nanoTime() - startedAt) / 1_000;
      }
    }
    Arrays.sort(micros);
    return "claiming %d of %,d pending among %,d rows: median %.2f ms, p99 %.2f ms, most %.2f ms%n"
        .formatted(
            BATCH,
            pending,
            rows,
            micros[claims / 2] / 1e3,
            micros[claims * 99 / 100] / 1e3,
            micros[claims - 1] / 1e3);
  }

  private static ClaimRequest request() {
    return new ClaimRequest(
        new LeaseTerms("measuring", Duration.ofHours(1)),
        BATCH,
        Map.of(),
        16L << 20,
        new SuspectLimit(1, 0),
        10,
        Duration.ZERO);
  }

  /** The plans of the queries that the claim sends, as the server makes them for their values. */
  private String plans(Connection conn) throws SQLException {
    Set<String> queries = new LinkedHashSet<>();
    new JdbcOutboxRepository().claim(watched(conn, queries), request(), id -> true);
    StringBuilder plans = new StringBuilder();
    for (String query : queries) {
      if (query.stripLeading().startsWith("SELECT e.event_id")) {
        plans.append(String.join("\n", plan(conn, query))).append("\n\n");
      }
    }
    conn.rollback();
    return plans.toString();
  }

  private static List<String> plan(Connection conn, String query) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (PreparedStatement explain =
        conn.prepareStatement("EXPLAIN (ANALYZE, COSTS OFF, SUMMARY OFF) " + query)) {
      int last = explain.getParameterMetaData().getParameterCount();
      for (int i = 1; i < last; i++) {
        explain.setLong(i, 0);
      }
      explain.setInt(last, BATCH);
      try (ResultSet plan = explain.executeQuery()) {
        while (plan.next()) {
          lines.add(plan.getString(1));
        }
      }
    }
    return lines;
  }

  private static Connection watched(Connection conn, Set<String> queries) {
    return (Connection)
        Proxy.newProxyInstance(
            ClaimCost.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, args) -> {
              if (method.getName().equals("prepareStatement")) {
                queries.add((String) args[0]);
              }
              try {
                return method.invoke(conn, args);
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
            });
  }
}
