package benchmarks;

import benchmarks.contenders.BusWorkers;
import benchmarks.contenders.DbSchedulerDrain;
import benchmarks.contenders.RawDrain;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** The benchmarks of the event bus; each prints its table in Markdown. For one thread. */
final class BusBenchmarks {
  static final int EVENTS = 20_000;
  private static final int PER_SECOND = 200;
  private static final String LIMIT = "raw SQL, claim 100, close 100";
  private static final List<BusDrain.Entry> DRAINERS =
      List.of(
          new BusDrain.Entry(LIMIT, RawDrain::inTwoTransactions),
          new BusDrain.Entry("raw SQL, both in one transaction", RawDrain::inOneTransaction),
          new BusDrain.Entry("holdfast event bus, 4 workers", BusWorkers::new),
          new BusDrain.Entry("db-scheduler, 16 threads", DbSchedulerDrain::new));

  private final int rounds;
  private final Duration time;

  /**
   * Benchmarks.
   *
   * @param rounds rounds that count
   * @param time how long a round lasts where it has no end of its own
   */
  BusBenchmarks(int rounds, Duration time) {
    this.rounds = rounds;
    this.time = time;
  }

  void drain() throws SQLException, InterruptedException {
    Results results = new BusDrain(EVENTS, rounds).run(DRAINERS);
    System.out.printf("Drain of %,d stored events%n%n%s%n", EVENTS, results.table(LIMIT));
  }

  void claim() throws SQLException {
    System.out.printf("Claims of the event bus%n%n%s%n", new BusClaim(rounds).run());
  }

  void latency() throws SQLException, InterruptedException, ExecutionException {
    System.out.printf("Publish to handler at %d events/s%n%n", PER_SECOND);
    System.out.println(
        "| worker | round | p50 ms from the call | from its return | p90 ms from the call | p99 ms |");
    System.out.println("| --- | ---: | ---: | ---: | ---: | ---: |");
    for (int round = 1; round <= rounds; round++) {
      for (boolean apart : new boolean[] {false, true}) {
        BusLatency latency = new BusLatency(PER_SECOND, time);
        latency.run(apart);
        System.out.printf(
            "| %s | %d | %.2f | %.2f | %.2f | %.2f |%n",
            apart ? "in another JVM" : "in the same JVM",
            round,
            part(latency.fromCall(), 50),
            part(latency.fromReturn(), 50),
            part(latency.fromCall(), 90),
            part(latency.fromCall(), 99));
      }
    }
    System.out.println();
  }

  private static double part(long[] micros, int percent) {
    return micros[micros.length * percent / 100] / 1e3;
  }
}
