package benchmarks.eventlog;

import benchmarks.CostTable;
import java.io.IOException;
import java.time.Duration;
import org.openjdk.jmh.runner.RunnerException;

/** Measures the event log and prints tables in Markdown. Stateless. */
public final class EventLogBenchmarks {
  private static final int EVENTS = 300_000;

  private EventLogBenchmarks() {}

  /** What a call costs the caller. */
  public static void logCost() throws RunnerException {
    CostTable.print(LogCost.class);
  }

  /** How long a call takes at worst. */
  public static void logTail(Duration length) throws IOException, InterruptedException {
    System.out.println(new LogTail(length).run());
  }

  /** How long a call takes at worst beside those of other loggers. */
  public static void logBeside(Duration length, int rounds) throws IOException {
    System.out.println(new LogBeside(length, rounds).run());
  }

  /** How fast events reach the disk and come back. */
  public static void diskSpeed(int rounds) throws IOException, InterruptedException {
    System.out.println(new DiskSpeed(EVENTS, rounds).run());
  }
}
