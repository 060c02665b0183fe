package tracer.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.lifecycle.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tracer.TraceEvent;
import tracer.Tracer;
import tracer.sink.TraceBatch;
import tracer.sink.TracePhase;
import tracer.sink.TraceSink;

/** Ends of asynchronous spans that reach the file before their begins, and begins without ends. */
class AsyncSpansTest extends FilesFixture {
  private static final TraceEvent MESSAGE = TraceEvent.named("async.message");
  private static final TraceEvent READY = TraceEvent.named("async.ready");
  private static final int MANY = 50_000;

  private final CountDownLatch ringIsTaken = new CountDownLatch(1);
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Has one thread begin spans and another end them whose ring is written first. */
  private void endFirst(Tracer tracer, int begins, int ends) throws InterruptedException {
    Thread handler =
        Threads.daemon("handler")
            .newThread(
                () -> {
                  tracer.index().record(READY);
                  ringIsTaken.countDown();
                  await(begun);
                  for (int i = 0; i < ends; i++) {
                    tracer.index().endAsync(MESSAGE, i);
                  }
                  ended.countDown();
                  await(new CountDownLatch(1)); // its ring stays in use
                });
    handler.start();
    await(ringIsTaken);
    for (int i = 0; i < begins; i++) {
      tracer.index().beginAsync(MESSAGE, i, i);
    }
    begun.countDown();
    await(ended);
    tracer.start();
    flush(tracer);
    tracer.close();
    handler.interrupt();
    handler.join();
  }

  private List<String> shown() throws Exception {
    return entries().stream()
        .filter(entry -> entry.name().equals(MESSAGE.name()))
        .map(entry -> entry.phase() + " " + entry.values())
        .toList();
  }

  @Test
  void asManyEndsAsComeBeforeTheirBeginsEachSpanIsWhole() throws Exception {
    Tracer tracer = tracer(PerfettoFiles.in(directory)).producers(2).peakRate(16L * MANY).build();
    endFirst(tracer, MANY, MANY);

    assertThat(tracer.ledger().lost()).isZero();
    Map<String, Long> notes =
        entries().stream()
            .filter(entry -> entry.name().equals(MESSAGE.name()))
            .collect(
                Collectors.groupingBy(
                    entry ->
                        entry.phase()
                            + " "
                            + entry.values().getOrDefault("begin", "")
                            + entry.values().getOrDefault("end", ""),
                    Collectors.counting()));
    assertThat(notes)
        .containsOnly(Map.entry("ASYNC_BEGIN ", (long) MANY), Map.entry("ASYNC_END ", (long) MANY));
  }

  @Test
  void anEndWhoseBeginWasDroppedSaysSoAmongManyThatAreWhole() throws Exception {
    Tracer tracer = tracer(PerfettoFiles.in(directory)).producers(2).build();
    endFirst(tracer, 1_000, 200); // the begins of the first were dropped, and some of their ends

    assertThat(tracer.ledger().lost()).isPositive();
    assertThat(shown())
        .anyMatch(it -> it.matches("ASYNC_BEGIN \\{id=1\\d\\d, begin=dropped\\}"))
        .noneMatch(it -> it.contains("not followed"));
  }

  @Test
  void theFlushAfterTheNextDecidesThatABeginWasDropped() throws Exception {
    Tracer tracer = tracer(PerfettoFiles.in(directory)).build();
    tracer.index().beginAsync(MESSAGE, 7);
    record(tracer, 0, 1000);
    tracer.index().endAsync(MESSAGE, 7);
    tracer.start();
    flush(tracer);
    assertThat(shown()).isEmpty();
    record(tracer, 0, 1);
    flush(tracer);

    assertThat(shown()).containsExactly("ASYNC_BEGIN {id=7, begin=dropped}", "ASYNC_END {id=7}");
    tracer.close();
    assertThat(shown()).hasSize(2);
  }

  /** Follows at most three ends that wait, and writes down what it would write to a file. */
  private static final class Follower implements TraceSink, SpanOutput {
    final AsyncSpans spans = new AsyncSpans(3);
    final List<String> written = new ArrayList<>();

    @Override
    public void write(TraceBatch batch) {
      while (batch.next()) {
        if (batch.phase() == TracePhase.ASYNC_END) {
          spans.end(batch, this);
        } else {
          spans.begin(batch, this);
        }
      }
    }

    @Override
    public void begin(ThreadSpans thread, OpenSpan span, long time, Note note) {
      throw new AssertionError("no span of a thread");
    }

    @Override
    public void end(ThreadSpans thread, OpenSpan span, long time, Note note) {
      throw new AssertionError("no span of a thread");
    }

    @Override
    public void beginAsync(OpenSpan span, long id, long time, Note note) {
      written.add("begin " + id + " " + note);
    }

    @Override
    public void endAsync(OpenSpan span, long id, long time, Note note) {
      written.add("end " + id + " " + note);
    }
  }

  @Test
  void ofTooManyEndsThatWaitTheEldestIsNotCalledDropped() throws Exception {
    Follower follower = new Follower();
    Tracer tracer = Tracer.builder(follower).time(time).producers(1).largestDetail(300).build();
    tracer.index().beginAsync(MESSAGE, 0);
    tracer.start();
    flush(tracer);
    follower.spans.keep();
    for (int id = 1; id <= 4; id++) {
      tracer.index().beginAsync(MESSAGE, id);
    }
    tracer.disableCategory("async"); // what was begun ends all the same
    flush(tracer);
    follower.spans.undo(); // as if the file had failed
    follower.written.clear();
    for (int id = 1; id <= 4; id++) {
      tracer.index().endAsync(MESSAGE, id);
    }
    tracer.close(Duration.ofSeconds(20));

    assertThat(follower.written).containsExactly("begin 1 BEGIN_NOT_FOLLOWED", "end 1 NONE");
    assertThat(follower.spans.size()).isEqualTo(1);
    follower.spans.undo();
    follower.spans.flushed();
    assertThat(follower.spans.needsFlush()).isFalse();
  }

  @Test
  void whatWaitsIsAPartOfTheHeap() {
    assertThat(AsyncSpans.mostWaiting(64L << 20)).isEqualTo(1 << 14);
    assertThat(AsyncSpans.mostWaiting(64L << 30)).isEqualTo(1 << 18);
    assertThat(AsyncSpans.mostWaiting(1)).isEqualTo(1 << 10);
  }
}
