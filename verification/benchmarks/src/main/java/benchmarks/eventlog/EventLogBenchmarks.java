package benchmarks.eventlog;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Measures the event log and prints tables in Markdown. Stateless. */
public final class EventLogBenchmarks {
  private static final int EVENTS = 300_000;

  private EventLogBenchmarks() {}

  /** What a call costs the caller. */
  public static void logCost() throws RunnerException {
    Collection<RunResult> results =
        new Runner(new OptionsBuilder().include(LogCost.class.getName()).build()).run();
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

  /** How long a call takes at worst. */
  public static void logTail(Duration length) throws IOException, InterruptedException {
    System.out.println(new LogTail(length).run());
  }

  /** How fast events reach the disk and come back. */
  public static void diskSpeed(int rounds) throws IOException, InterruptedException {
    System.out.println(new DiskSpeed(EVENTS, rounds).run());
  }
}
