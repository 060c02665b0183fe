package tracer.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.files.FaultyFiles;
import holdfast.testkit.files.FileOperation;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tracer.TraceEvent;
import tracer.TraceSpan;
import tracer.Tracer;
import tracer.sink.TraceBatch;
import tracer.sink.TracePhase;
import tracer.sink.TraceSink;
import tracer.sink.TraceStart;

/** Spans in files that fail, vanish or end, and more of them than are followed. */
class SpanFilesTest extends FilesFixture {
  private static final TraceEvent OUTER = TraceEvent.named("spanfiles.outer");
  private static final TraceEvent REQUEST = TraceEvent.named("spanfiles.request");

  private List<String> shown() throws IOException {
    return entries().stream()
        .filter(entry -> entry.phase() != TracePhase.INSTANT)
        .map(entry -> entry.phase() + " " + entry.name().substring(10) + " " + entry.values())
        .toList();
  }

  @Test
  void spansOfABatchThatFailedAreWrittenOnce() throws Exception {
    FaultyFiles disk = FaultyFiles.over(directory);
    Tracer tracer = started(PerfettoFiles.in(disk.root()));
    TraceSpan first = tracer.index().span(OUTER, 1);
    flush(tracer);
    disk.failWhen(op -> op.operation() == FileOperation.WRITE, () -> new IOException("no space"));
    TraceSpan second = tracer.index().span(OUTER, 2);
    tracer.index().beginAsync(REQUEST, 3);
    record(tracer, 0, 100);
    int before = disk.operations().size();
    Eventually.await(
        "it fails again and again",
        () -> {
          time.advance(Duration.ofSeconds(1));
          return disk.operations().size() > before + 4;
        });
    disk.mend();
    second.close();
    first.close();
    tracer.index().endAsync(REQUEST, 3);
    Eventually.await(
        "it is written",
        () -> {
          time.advance(Duration.ofSeconds(1));
          return tracer.ledger().held() == 0;
        });
    tracer.close();

    assertThat(shown())
        .containsExactly(
            "BEGIN outer {a=1}",
            "BEGIN outer {a=2}",
            "ASYNC_BEGIN request {id=3}",
            "END outer {}",
            "END outer {}",
            "ASYNC_END request {id=3}");
  }

  @Test
  void spansBeginAgainWhereTheFileWasDeleted() throws Exception {
    Tracer tracer = started(PerfettoFiles.in(directory));
    TraceSpan span = tracer.index().span(OUTER, 1);
    flush(tracer);
    Files.delete(segments().get(0));
    span.close();
    tracer.close();

    assertThat(shown())
        .containsExactly("BEGIN outer {a=1, begin=in an earlier file}", "END outer {}");
  }

  @Test
  void theEndOfAnAsynchronousSpanWhoseBeginWasDroppedIsAMoment() throws Exception {
    Tracer tracer = tracer(PerfettoFiles.in(directory)).build();
    tracer.index().beginAsync(REQUEST, 7, 1);
    record(tracer, 0, 1000);
    tracer.index().endAsync(REQUEST, 7);
    tracer.start();
    flush(tracer);
    tracer.close();

    assertThat(shown())
        .containsExactly("ASYNC_BEGIN request {id=7, begin=dropped}", "ASYNC_END request {id=7}");
  }

  @Test
  void asManyOpenSpansAsThereAreTheEncoderFollowsNoMoreThanItMay() throws Exception {
    int more = 100;
    Tracer tracer = tracer(PerfettoFiles.in(directory)).peakRate(200_000).build();
    for (int i = 0; i < OpenSpans.MOST + more; i++) {
      tracer.index().beginAsync(REQUEST, i);
    }
    tracer.start();
    flush(tracer);
    tracer.close();

    List<String> ended = shown().stream().filter(it -> it.startsWith("ASYNC_END")).toList();
    assertThat(ended)
        .hasSize(more)
        .contains("ASYNC_END request {id=0, end=not followed: too many open spans}");
  }

  /** Hands batches on and leaves the rest to the other's defaults. */
  private record Forwarding(PerfettoFiles files) implements TraceSink {
    @Override
    public void open(TraceStart start) throws IOException {
      files.open(start);
    }

    @Override
    public void write(TraceBatch batch) throws IOException {
      files.write(batch);
    }

    @Override
    public void flush() throws IOException {
      files.flush();
    }

    @Override
    public void close() throws IOException {
      files.close();
    }
  }

  @Test
  void aSinkThatForwardsWithoutEncodingHasWholeFilesToo() throws Exception {
    Forwarding sink = new Forwarding(PerfettoFiles.in(directory).segmentBytes(5000));
    Tracer tracer =
        Tracer.builder(sink)
            .time(time)
            .producers(1)
            .peakRate(400)
            .burstWindow(Duration.ofSeconds(1))
            .largestDetail(300)
            .captureCrashes(false)
            .registerShutdownHook(false)
            .build();
    tracer.start();
    try (TraceSpan span = tracer.index().span(OUTER, 1)) {
      for (int i = 0; i < 10; i++) {
        record(tracer, 0, 50);
        flush(tracer);
      }
      assertThat(span).isNotNull();
    }
    tracer.close();

    assertThat(segments()).hasSizeGreaterThan(2);
    assertThat(shown()).hasSize(2 * segments().size()).startsWith("BEGIN outer {a=1}");
  }
}
