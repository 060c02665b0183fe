package perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.lifecycle.Threads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tracer.TraceEvent;
import tracer.TraceSpan;
import tracer.Tracer;
import tracer.perfetto.PerfettoFiles;

/** What a flight recorder dumps is valid as any other file, alone and joined. */
class DumpFilesTest extends TraceFixture {
  private static final TraceEvent OUTER = TraceEvent.named("dump.outer");
  private static final TraceEvent INNER = TraceEvent.named("dump.inner");
  private static final TraceEvent REQUEST = TraceEvent.named("dump.request");
  private static final TraceEvent QUEUE = TraceEvent.named("dump.queue");

  private Tracer recorder() {
    Tracer tracer =
        tracer(PerfettoFiles.in(directory))
            .keepLast(Duration.ofMinutes(1))
            .dumpWhenSlower(OUTER, Duration.ofSeconds(2))
            .build();
    tracer.start();
    return tracer;
  }

  private void inner(Tracer tracer, int count) {
    for (int i = 0; i < count; i++) {
      pass(10);
      try (TraceSpan inner = tracer.index().span(INNER, i).flow(i + 1)) {
        pass(10);
        tracer.index().counter(QUEUE, i);
        assertThat(inner).isNotNull();
      }
    }
  }

  @Test
  void spansThatAreOpenGoOnInTheNextDump() throws Exception {
    Tracer tracer = recorder();
    tracer.index().beginAsync(REQUEST, 7);
    try (TraceSpan outer = tracer.index().span(OUTER, 42)) {
      inner(tracer, 20);
      tracer.dump("first");
      inner(tracer, 20);
      tracer.dump("second");
      inner(tracer, 20);
      assertThat(outer).isNotNull();
    }
    tracer.index().endAsync(REQUEST, 7);
    tracer.close();

    assertThat(files()).hasSize(3);
    for (Path file : files()) {
      assertThat(processor.open(file).complaints()).isEmpty();
      assertThat(processor.rows("select count(*) from slice where dur < 0")).containsExactly("0");
      assertThat(
              processor.rows(
                  "select count(*), min(depth), max(depth) from slice where name = 'dump.inner'"))
          .containsExactly("20 | 1 | 1");
    }
    assertThat(processor.open(joined(files())).complaints()).isEmpty();
    assertThat(
            processor.rows(
                "select name, sum(dur) from slice where dur > 0 group by name order by name"))
        .containsExactly("dump.inner | 600", "dump.outer | 1200", "dump.request | 1200");
    assertThat(
            processor.rows(
                "select extract_arg(arg_set_id, 'debug.text') from slice"
                    + " where name = 'tracer.dump' order by ts"))
        .containsExactly("first", "second");
  }

  @Test
  void aDumpOfASlowSpanHasWhatLedToIt() throws Exception {
    Tracer tracer = recorder();
    inner(tracer, 2_000); // more than there is memory for
    try (TraceSpan outer = tracer.index().span(OUTER, 1)) {
      inner(tracer, 3);
      time.advance(Duration.ofSeconds(3));
      assertThat(outer).isNotNull();
    }
    tracer.close();

    assertThat(processor.open(joined(files())).complaints()).isEmpty();
    assertThat(
            processor.rows(
                "select count(*) from slice i join slice o on i.parent_id = o.id"
                    + " where i.name = 'dump.inner' and o.name = 'dump.outer'"))
        .containsExactly("3");
    assertThat(
            processor.rows(
                "select extract_arg(arg_set_id, 'debug.text') from slice"
                    + " where name = 'tracer.dump'"))
        .containsExactly("slow span dump.outer took PT3.00000006S");
    assertThat(processor.rows("select count(*) from slice where name = 'data loss'"))
        .as("what newer events have replaced is not lost")
        .containsExactly("0");
  }

  @Test
  void dumpsWhileManyThreadsRecordAreValid() throws Exception {
    Tracer tracer = recorder();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      boolean isVirtual = i % 2 == 0;
      Thread thread =
          (isVirtual ? Threads.virtualIfAvailable("virtual-" + i) : Threads.daemon("thread-" + i))
              .newThread(() -> nest(tracer));
      thread.start();
      threads.add(thread);
    }
    for (int i = 0; i < 10; i++) {
      tracer.dump("while they record");
    }
    for (Thread thread : threads) {
      thread.join();
    }
    tracer.close();

    for (Path file : files()) {
      assertThat(processor.open(file).complaints()).isEmpty();
    }
    assertThat(processor.open(joined(files())).complaints()).isEmpty();
    assertThat(tracer.ledger().isAccountedFor()).isTrue();
  }

  private static void nest(Tracer tracer) {
    for (int i = 0; i < 20_000; i++) {
      try (TraceSpan outer = tracer.index().span(OUTER, i)) {
        tracer.index().begin(INNER, i);
        tracer.index().end(INNER);
        outer.flow(i);
      }
    }
  }
}
