package tracer.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.process.Acknowledged;
import holdfast.testkit.process.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tracer.TraceEvent;
import tracer.TraceSpan;
import tracer.Tracer;

/** A tracer with nothing but defaults writes its files in a small heap, too. */
@Timeout(180)
class SmallHeapTest {
  private static final int SPANS = 300_000;

  @TempDir Path directory;

  /** Records spans of all kinds, whose ends another thread records. */
  static final class Defaults {
    public static void main(String[] args) throws InterruptedException {
      TraceEvent work = TraceEvent.named("small.work");
      TraceEvent message = TraceEvent.named("small.message");
      Tracer tracer = Tracer.builder(PerfettoFiles.in(Path.of(args[0]))).build();
      tracer.start();
      for (int from = 0; from < SPANS; from += SPANS / 10) {
        int first = from;
        int end = from + SPANS / 10;
        for (int i = first; i < end; i++) {
          try (TraceSpan span = tracer.index().span(work, i)) {
            tracer.index().beginAsync(message, i, span.hashCode());
          }
        }
        Thread handler =
            new Thread(
                () -> {
                  for (int i = first; i < end; i++) {
                    tracer.index().endAsync(message, i);
                  }
                });
        handler.start();
        handler.join();
      }
      tracer.close();
      Acknowledged.line(tracer.ledger().isAccountedFor() + " " + tracer.ledger().accepted());
    }
  }

  @Test
  void withDefaultsThereAreFewerRingsWhichIsSaidOnce() throws Exception {
    try (ChildJvm child =
        ChildJvm.of(Defaults.class, directory.toString())
            .jvmOptions("-Xmx64m", "-XX:ActiveProcessorCount=2")
            .start()) {
      child.awaitLine(line -> line.equals("true " + 4L * SPANS), Duration.ofMinutes(2));
      assertThat(child.awaitExit(Duration.ofSeconds(30))).isZero();
      assertThat(child.errors().lines().filter(line -> line.startsWith("WARNING: tracer memory")))
          .hasSize(1)
          .allMatch(line -> line.contains("or the heap refuses"));
      assertThat(child.errors()).doesNotContain("OutOfMemoryError", "sink failed", "drain failed");
    }
    for (Path file : Segments.list(directory)) {
      assertThat(TraceReader.read(file, entry -> {}).damagedBytes()).isZero();
      assertThat(Files.size(file)).isPositive();
    }
  }
}
