package tracer;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.process.Acknowledged;
import holdfast.testkit.process.ChildJvm;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The last line of the log, with the ledger, is written however the JVM ends. */
@Timeout(120)
class ExitLogTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  /** Records one event, and ends or waits for the end; closes nothing itself. */
  static final class Program {
    public static void main(String[] args) throws InterruptedException {
      Tracer tracer = Tracer.builder(batch -> {}).peakRate(1_000).build();
      tracer.start();
      tracer.index().record(TraceEvent.named("test.step"), 1, 2);
      tracer.flush(SOON);
      Acknowledged.line("ready");
      if (args[0].equals("wait")) {
        new CountDownLatch(1).await();
      }
    }
  }

  @Test
  void atTheEndOfMain() throws InterruptedException {
    try (ChildJvm child = ChildJvm.of(Program.class, "end").start()) {
      assertThat(child.awaitExit(SOON)).isZero();
      assertLastLine(child);
    }
  }

  @Test
  void atATerminationSignal() throws InterruptedException {
    try (ChildJvm child = ChildJvm.of(Program.class, "wait").start()) {
      child.awaitLine("ready"::equals, SOON);
      assertThat(child.terminate(SOON)).isEqualTo(143);
      assertLastLine(child);
    }
  }

  private static void assertLastLine(ChildJvm child) {
    assertThat(child.errors().lines())
        .filteredOn(line -> line.startsWith("INFO: tracer closed tracer accepted="))
        .singleElement()
        .asString()
        .contains(" lost=0 ");
  }
}
