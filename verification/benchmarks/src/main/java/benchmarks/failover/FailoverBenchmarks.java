package benchmarks.failover;

import benchmarks.CostTable;
import java.time.Duration;
import org.openjdk.jmh.runner.RunnerException;

/** Measures failover and prints tables in Markdown. Stateless. */
public final class FailoverBenchmarks {
  private FailoverBenchmarks() {}

  /** What a call costs that the source answers. */
  public static void call() throws RunnerException {
    CostTable.print(CallCost.class);
  }

  /** What a call costs that is answered from the store. */
  public static void recovery() throws RunnerException {
    CostTable.print(RecoveryCost.class);
  }

  /** How soon a hundred callers are answered while the source is dead. */
  public static void outage(Duration length) throws InterruptedException {
    System.out.println(new Outage(length).run());
  }
}
