package benchmarks.tracer;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Measures the tracer and prints tables in Markdown. Stateless. */
public final class TracerBenchmarks {
  private TracerBenchmarks() {}

  /** What an event costs while the consumer keeps up. */
  public static void cost() throws RunnerException {
    print(TraceCost.class.getName());
  }

  /** What a span costs beside an instant and beside other tracers. */
  public static void spans() throws RunnerException {
    print(TraceSpans.class.getName());
  }

  /** What an event costs when the oldest must go, beside the tracer's usual cost. */
  public static void overload() throws RunnerException {
    print(TraceOverload.class.getName());
  }

  /** How many events a second reach the disk. */
  public static void disk(Duration length, int rounds) throws IOException, InterruptedException {
    System.out.println(new TraceDisk(length, rounds).run());
  }

  /** Whose events survive an overload. */
  public static void fairness(Duration length) throws InterruptedException {
    System.out.println(new TraceFairness(length).run());
  }

  private static void print(String benchmark) throws RunnerException {
    Collection<RunResult> results =
        new Runner(new OptionsBuilder().include(benchmark).addProfiler(GCProfiler.class).build())
            .run();
    System.out.println("| situation | contender | ns, median | least–most | bytes allocated |");
    System.out.println("| --- | --- | ---: | ---: | ---: |");
    for (RunResult result : results) {
      Result<?> nanos = result.getPrimaryResult();
      Result<?> bytes = result.getSecondaryResults().get("gc.alloc.rate.norm");
      System.out.printf(
          "| %s | %s | %.1f | %.1f–%.1f | %.2f |%n",
          nanos.getLabel(),
          result.getParams().getParam("contender"),
          nanos.getStatistics().getPercentile(50),
          nanos.getStatistics().getMin(),
          nanos.getStatistics().getMax(),
          bytes == null ? Double.NaN : bytes.getScore());
    }
  }
}
