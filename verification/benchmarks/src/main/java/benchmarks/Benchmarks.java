package benchmarks;

import benchmarks.contenders.DbScheduler;
import benchmarks.contenders.Gruelbox;
import benchmarks.contenders.Holdfast;
import benchmarks.contenders.Modulith;
import benchmarks.contenders.OutboxWorkers;
import benchmarks.contenders.Raw;
import benchmarks.contenders.RawDrain;
import benchmarks.delivery.DeliveryFigures;
import benchmarks.delivery.WakeUpFigures;
import benchmarks.eventlog.EventLogBenchmarks;
import benchmarks.failover.FailoverBenchmarks;
import benchmarks.tracer.TracerBenchmarks;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.openjdk.jmh.runner.RunnerException;

/** Runs the benchmarks and prints their tables in Markdown. */
public final class Benchmarks {
  private static final String LIMIT = "raw JDBC, DONE in batches of 100";
  private static final Duration PUBLISHING =
      Duration.ofSeconds(Long.getLong("benchmark.seconds", 8));
  private static final int ROUNDS = Integer.getInteger("benchmark.rounds", 5);
  private static final int PER_SECOND = 200;

  private static final List<Field> PRODUCTS =
      List.of(
          new Field("holdfast outbox", Holdfast::new),
          new Field("gruelbox transaction-outbox", Gruelbox::new),
          new Field("db-scheduler", DbScheduler::new),
          new Field("Spring Modulith JDBC", Modulith::new));
  private static final List<Field> RAW =
      List.of(
          new Field("raw JDBC, publish only", Raw::publishOnly),
          new Field(LIMIT, (pool, deliveries) -> Raw.marking(pool, 100, deliveries)),
          new Field(
              "raw JDBC, DONE one by one", (pool, deliveries) -> Raw.marking(pool, 1, deliveries)));

  private Benchmarks() {}

  /**
   * Measures.
   *
   * @param args what: {@code throughput}, {@code crowd}, {@code latency}, {@code claim}, {@code
   *     outbox-drain}, {@code bus-drain}, {@code bus-claim}, {@code bus-latency}, {@code log-cost},
   *     {@code log-tail}, {@code log-beside}, {@code log-disk}, {@code trace-cost}, {@code
   *     trace-spans}, {@code trace-overload}, {@code trace-disk}, {@code trace-fairness}, {@code
   *     failover-call}, {@code failover-recovery}, {@code failover-outage}, {@code delivery},
   *     {@code wake-up}, {@code claim-large} or {@code all}, which is all but the last of them
   */
  public static void main(String[] args)
      throws SQLException, InterruptedException, ExecutionException, IOException, RunnerException {
    String what = args.length == 0 ? "all" : args[0];
    boolean all = what.equals("all");
    if (all || what.equals("throughput")) {
      throughput(4);
    }
    if (all || what.equals("crowd")) {
      throughput(32);
    }
    if (all || what.equals("latency")) {
      latency();
    }
    if (all || what.equals("claim")) {
      System.out.println(new ClaimCost(200_000, 1_000_000, 1_000_000, 300).run());
    }
    if (all || what.equals("outbox-drain")) {
      outboxDrain();
    }
    BusBenchmarks bus = new BusBenchmarks(ROUNDS, PUBLISHING);
    if (all || what.equals("bus-drain")) {
      bus.drain();
    }
    if (all || what.equals("bus-claim")) {
      bus.claim();
    }
    if (all || what.equals("bus-latency")) {
      bus.latency();
    }
    if (all || what.equals("delivery")) {
      DeliveryFigures.run();
    }
    if (all || what.equals("wake-up")) {
      WakeUpFigures.run();
    }
    if (what.equals("claim-large")) {
      System.out.println(new ClaimCost(200_000, 1_000_000, 9_000_000, 300).run());
    }
    if (all || what.equals("log-cost")) {
      EventLogBenchmarks.logCost();
    }
    if (all || what.equals("log-tail")) {
      EventLogBenchmarks.logTail(PUBLISHING);
    }
    if (all || what.equals("log-beside")) {
      EventLogBenchmarks.logBeside(PUBLISHING, ROUNDS);
    }
    if (all || what.equals("log-disk")) {
      EventLogBenchmarks.diskSpeed(ROUNDS);
    }
    tracer(what);
    failover(what);
    System.exit(0); // The pools of some products would keep the JVM alive.
  }

  private static void outboxDrain() throws SQLException, InterruptedException {
    String limit = "raw SQL, claim 100, close 100";
    List<BusDrain.Entry> field =
        List.of(
            new BusDrain.Entry(limit, RawDrain::ofOutbox),
            new BusDrain.Entry("raw SQL, both in one transaction", RawDrain::ofOutboxInOne),
            new BusDrain.Entry("holdfast outbox, 4 workers", OutboxWorkers::new));
    Results results = new BusDrain(BusBenchmarks.EVENTS, ROUNDS).run(field);
    System.out.printf(
        "Drain of %,d events of the outbox%n%n%s%n", BusBenchmarks.EVENTS, results.table(limit));
  }

  private static void tracer(String what)
      throws RunnerException, IOException, InterruptedException {
    boolean all = what.equals("all");
    if (all || what.equals("trace-cost")) {
      TracerBenchmarks.cost();
    }
    if (all || what.equals("trace-spans")) {
      TracerBenchmarks.spans();
    }
    if (all || what.equals("trace-overload")) {
      TracerBenchmarks.overload();
    }
    if (all || what.equals("trace-disk")) {
      TracerBenchmarks.disk(PUBLISHING, ROUNDS);
    }
    if (all || what.equals("trace-fairness")) {
      TracerBenchmarks.fairness(PUBLISHING);
    }
  }

  private static void failover(String what) throws RunnerException, InterruptedException {
    boolean all = what.equals("all");
    if (all || what.equals("failover-call")) {
      FailoverBenchmarks.call();
    }
    if (all || what.equals("failover-recovery")) {
      FailoverBenchmarks.recovery();
    }
    if (all || what.equals("failover-outage")) {
      FailoverBenchmarks.outage(PUBLISHING);
    }
  }

  private static void throughput(int threads)
      throws SQLException, InterruptedException, ExecutionException {
    List<Field> field = new java.util.ArrayList<>(RAW);
    field.addAll(PRODUCTS);
    Results results = new Throughput(threads, PUBLISHING, ROUNDS).run(field);
    System.out.printf("End to end, %d publishing threads%n%n%s%n", threads, results.table(LIMIT));
  }

  private static void latency() throws SQLException, InterruptedException, ExecutionException {
    System.out.printf("Commit to listener at %d events/s%n%n", PER_SECOND);
    System.out.println("| contender | round | p50 ms | p90 ms | p99 ms | most ms |");
    System.out.println("| --- | ---: | ---: | ---: | ---: | ---: |");
    List<Field> field = new java.util.ArrayList<>(PRODUCTS);
    field.add(0, new Field("raw hand-off in memory", Raw::publishOnly));
    for (int round = 1; round <= ROUNDS; round++) {
      for (Field next : field) {
        long[] micros = new Latency(PER_SECOND, PUBLISHING, Duration.ofSeconds(3)).run(next);
        System.out.printf(
            "| %s | %d | %.3f | %.3f | %.3f | %.3f |%n",
            next.name(),
            round,
            part(micros, 50),
            part(micros, 90),
            part(micros, 99),
            micros[micros.length - 1] / 1e3);
      }
    }
    System.out.println();
  }

  private static double part(long[] micros, int percent) {
    return micros[micros.length * percent / 100] / 1e3;
  }
}
