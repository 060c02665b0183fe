package benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import eventbus.EventBusSchema;
import eventbus.table.ClaimRequest;
import eventbus.table.EventStore;
import eventbus.table.TableNames;
import holdfast.jdbc.DatabaseClock;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.TestDatabase;
import holdfast.work.SuspectLimit;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * What a claim of a worker costs, with its commit, when little or much waits and when much is
 * finished. For one thread.
 */
final class BusClaim {
  private static final String TYPE = "Measured";
  private static final int BATCH = 10;
  private static final int WARM_UP = 20;
  private static final int CLAIMS = 70;
  private static final String WAITING =
      """
      INSERT INTO events (type, payload, available_at, created_at)
      SELECT 'Measured', '{"note": "some text of a usual length"}', t, t
        FROM (SELECT (now() AT TIME ZONE 'UTC') - (%1$d - n) * INTERVAL '1 millisecond' AS t
                FROM generate_series(1, %1$d) n) moments
      """;
  private static final String FINISHED =
      """
      INSERT INTO event_log (id, type, payload, attempts, created_at, status, finished_at)
      SELECT -n, 'Measured', '{"note": "some text of a usual length"}', 1, t, 'COMPLETED', t
        FROM (SELECT n, (now() AT TIME ZONE 'UTC') - n * INTERVAL '1 millisecond' AS t
                FROM generate_series(1, %d) n) moments
      """;

  private final int rounds;

  /** A table of so many events, and the times of claims from it. */
  private record Place(String name, int waiting, int finished, List<Long> micros) {}

  BusClaim(int rounds) {
    this.rounds = rounds;
  }

  /** A Markdown table. */
  String run() throws SQLException {
    List<Place> places =
        List.of(
            new Place("1,000 waiting", 1_000, 0, new ArrayList<>()),
            new Place("1,000,000 waiting", 1_000_000, 0, new ArrayList<>()),
            new Place("1,000 waiting, 1,000,000 finished", 1_000, 1_000_000, new ArrayList<>()));
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < places.size(); i++) {
        Place place = places.get((i + round) % places.size());
        measure(place);
        System.err.printf("claim, round %d: %s%n", round + 1, place.name());
      }
    }
    return table(places);
  }

  private static String table(List<Place> places) {
    StringBuilder table = new StringBuilder();
    table.append("| table | of the first, median | median ms | p90 ms | p99 ms |\n");
    table.append("| --- | ---: | ---: | ---: | ---: |\n");
    double first = part(places.get(0), 50);
    for (Place place : places) {
      table.append(
          "| %s | %.2f | %.2f | %.2f | %.2f |%n"
              .formatted(
                  place.name(),
                  part(place, 50) / first,
                  part(place, 50),
                  part(place, 90),
                  part(place, 99)));
    }
    return table.toString();
  }

  private static double part(Place place, int percent) {
    long[] sorted = place.micros().stream().mapToLong(Long::longValue).sorted().toArray();
    return sorted[sorted.length * percent / 100] / 1e3;
  }

  private static void measure(Place place) throws SQLException {
    try (TestDatabase database = TestDatabase.open(DatabaseKind.POSTGRESQL);
        HikariDataSource pool = Pools.of(database, 4)) {
      EventBusSchema.createIfMissing(pool);
      try (Connection conn = pool.getConnection();
          Statement statement = conn.createStatement()) {
        statement.execute(WAITING.formatted(place.waiting()));
        statement.execute(FINISHED.formatted(place.finished()));
        statement.execute("VACUUM ANALYZE");
        statement.execute("CHECKPOINT"); // nobody pays for what was loaded
      }
      EventStore store = new EventStore(pool, TableNames.DEFAULT, DatabaseClock.TRUE);
      long[] micros = LongStream.generate(() -> claim(store)).limit(WARM_UP + CLAIMS).toArray();
      Arrays.stream(micros).skip(WARM_UP).forEach(place.micros()::add);
    }
  }

  private static long claim(EventStore store) {
    ClaimRequest request =
        new ClaimRequest(
            "measuring",
            Duration.ofHours(1),
            Map.of(TYPE, BATCH),
            Set.of(),
            Integer.MAX_VALUE,
            Set.of(),
            BATCH,
            16L << 20,
            new SuspectLimit(1, 0),
            false,
            10);
    long startedAt = System.nanoTime();
    int claimed = store.claim(request, List::of).events().size();
    long micros = (System.nanoTime() - startedAt) / 1_000;
    if (claimed != BATCH) {
      throw new IllegalStateException(
          "a claim must find %d events but found %d".formatted(BATCH, claimed));
    }
    return micros;
  }
}
