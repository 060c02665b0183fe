package benchmarks.failover;

import java.time.Duration;
import java.util.Collection;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Measures failover and prints tables in Markdown. Stateless. */
public final class FailoverBenchmarks {
  private FailoverBenchmarks() {}

  /** What a call costs that the source answers. */
  public static void call() throws RunnerException {
    run(CallCost.class);
  }

  /** What a call costs that is answered from the store. */
  public static void recovery() throws RunnerException {
    run(RecoveryCost.class);
  }

  /** How soon a hundred callers are answered while the source is dead. */
  public static void outage(Duration length) throws InterruptedException {
    System.out.println(new Outage(length).run());
  }

  private static void run(Class<?> benchmark) throws RunnerException {
    Collection<RunResult> results =
        new Runner(new OptionsBuilder().include(benchmark.getName()).build()).run();
    System.out.println("| call | ns | ± (99.9 %) |");
    System.out.println("| --- | ---: | ---: |");
    for (RunResult result : results) {
      System.out.printf(
          "| %s | %.1f | %.1f |%n",
          result.getPrimaryResult().getLabel(),
          result.getPrimaryResult().getScore(),
          result.getPrimaryResult().getScoreError());
    }
  }
}
