package benchmarks;

import java.util.Collection;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Measures what calls cost, and prints a table in Markdown. Stateless. */
public final class CostTable {
  private CostTable() {}

  /**
   * Runs a benchmark of JMH.
   *
   * @param benchmark the class that has its methods
   */
  public static void print(Class<?> benchmark) throws RunnerException {
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
