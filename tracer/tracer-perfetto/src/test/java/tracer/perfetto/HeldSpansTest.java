package tracer.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.lifecycle.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import tracer.TraceEvent;
import tracer.TraceSpan;
import tracer.Tracer;
import tracer.sink.TraceBatch;
import tracer.sink.TracePhase;
import tracer.sink.TraceSink;

/**
 * A flush that has some of what a thread that shares rings records meanwhile, and not all of it.
 */
class HeldSpansTest extends FilesFixture {
  private static final TraceEvent OUTER = TraceEvent.named("held.outer");
  private static final TraceEvent INNER = TraceEvent.named("held.inner");

  /** Has some events come before a flush and others behind it; writes down what it would write. */
  private static final class Follower implements TraceSink, SpanOutput {
    final List<String> written = new ArrayList<>();
    private final Predicate<TraceBatch> early;
    private final Predicate<TraceBatch> late;
    private final ThreadSpans spans = new ThreadSpans(1, "shared", false, this::flushes);
    private int flushes;

    Follower(Predicate<TraceBatch> early, Predicate<TraceBatch> late) {
      this.early = early;
      this.late = late;
    }

    private int flushes() {
      return flushes;
    }

    @Override
    public void encode(TraceBatch batch) {
      take(batch, early);
    }

    @Override
    public void write(TraceBatch batch) {
      take(batch, late);
    }

    private void take(TraceBatch batch, Predicate<TraceBatch> which) {
      while (batch.next()) {
        if (batch.phase() == TracePhase.BEGIN && which.test(batch)) {
          spans.begin(batch, this);
        } else if (batch.phase() == TracePhase.END && which.test(batch)) {
          spans.end(batch, this);
        }
      }
      flushSpans();
    }

    void flushSpans() {
      spans.held.flush(Long.MIN_VALUE, this);
      flushes++;
    }

    @Override
    public void begin(ThreadSpans thread, OpenSpan span, long time, Note note) {
      written.add("begin " + TraceEvent.withId(span.event).name() + " " + note);
    }

    @Override
    public void end(ThreadSpans thread, OpenSpan span, long time, Note note) {
      written.add("end " + TraceEvent.withId(span.event).name() + " " + note);
    }

    @Override
    public void beginAsync(OpenSpan span, long id, long time, Note note) {
      throw new AssertionError("no asynchronous span");
    }

    @Override
    public void endAsync(OpenSpan span, long id, long time, Note note) {
      throw new AssertionError("no asynchronous span");
    }
  }

  private static boolean isInnerEnd(TraceBatch batch) {
    return batch.phase() == TracePhase.END && batch.event().equals(INNER);
  }

  /** Records a span in another on a thread that shares rings, and has the sink write them. */
  private void writeTo(Follower follower) throws InterruptedException {
    writeTo(follower, 1);
  }

  private void writeTo(Follower follower, int times) throws InterruptedException {
    Tracer tracer =
        Tracer.builder(follower)
            .time(time)
            .producers(1)
            .largestDetail(1_000)
            .captureCrashes(false)
            .registerShutdownHook(false)
            .build();
    tracer.index().record(STEP); // this thread has the rings that are not shared
    Thread shared = Threads.daemon("shared").newThread(() -> nest(tracer, times));
    shared.start();
    shared.join();
    tracer.start();
    tracer.close();
    assertThat(tracer.ledger().lost()).isZero();
  }

  private void nest(Tracer tracer, int times) {
    for (int i = 0; i < times; i++) {
      time.advance(Duration.ofNanos(1));
      try (TraceSpan outer = tracer.index().span(OUTER)) {
        time.advance(Duration.ofNanos(1));
        try (TraceSpan inner = tracer.index().span(INNER)) {
          time.advance(Duration.ofNanos(outer == inner ? 2 : 1));
        }
        time.advance(Duration.ofNanos(1));
      }
    }
  }

  @Test
  void beginsThatComeBehindTheFlushThatHadTheirEndsArePassedOver() throws Exception {
    Follower follower =
        new Follower(
            batch -> batch.phase() == TracePhase.END, batch -> batch.phase() == TracePhase.BEGIN);
    writeTo(follower);
    assertThat(follower.spans.size()).isZero();
    follower.spans.held.finish(follower);

    assertThat(follower.written)
        .containsExactly(
            "begin held.inner NONE",
            "end held.inner NONE",
            "begin held.outer NONE",
            "end held.outer NONE");
    assertThat(follower.spans.isForgettable()).isTrue();
  }

  @Test
  void ofManyEndsThatComeBeforeTheirBeginsNoneIsWrittenAgain() throws Exception {
    Follower follower =
        new Follower(
            batch -> batch.phase() == TracePhase.END, batch -> batch.phase() == TracePhase.BEGIN);
    writeTo(follower, 300);
    assertThat(follower.spans.size()).isZero();
    follower.spans.held.finish(follower);

    assertThat(follower.written).hasSize(4 * 300).doesNotContain("end held.inner END_DROPPED");
    assertThat(follower.spans.isForgettable()).isTrue();
  }

  @Test
  void anEndThatComesBehindTheFlushThatHadTheOuterOneIsNotCalledDropped() throws Exception {
    Follower follower = new Follower(batch -> !isInnerEnd(batch), HeldSpansTest::isInnerEnd);
    writeTo(follower);

    assertThat(follower.written)
        .containsExactly(
            "begin held.outer NONE",
            "end held.outer NONE",
            "begin held.inner NONE",
            "end held.inner NONE");
    follower.flushSpans();
    assertThat(follower.spans.isForgettable()).isTrue();
  }

  @Test
  void aBeginThatComesBehindTheEndOfTheOuterOneHasEndedBeforeIt() throws Exception {
    Follower follower =
        new Follower(
            batch -> batch.event().equals(OUTER),
            batch -> batch.event().equals(INNER) && batch.phase() == TracePhase.BEGIN);
    writeTo(follower);
    follower.flushSpans();

    assertThat(follower.written)
        .containsExactly(
            "begin held.outer NONE",
            "end held.outer NONE",
            "begin held.inner NONE",
            "end held.inner END_DROPPED");
  }

  @Test
  void aSpanWhoseEndWasDroppedHasEndedBeforeTheNextOfItsDepth() throws Exception {
    int[] ends = new int[1];
    Follower follower =
        new Follower(
            batch ->
                batch.event().equals(OUTER) && (batch.phase() == TracePhase.BEGIN || ends[0]++ > 0),
            batch -> false);
    writeTo(follower, 3);
    follower.flushSpans();

    assertThat(follower.written)
        .containsExactly(
            "begin held.outer NONE",
            "end held.outer NONE",
            "begin held.outer NONE",
            "end held.outer NONE",
            "begin held.outer NONE",
            "end held.outer END_DROPPED");
    follower.flushSpans();
    assertThat(follower.spans.isForgettable()).isTrue();
  }

  @Test
  void soHasOneWhoseBeginComesLater() throws Exception {
    boolean[] isFirst = {true, true};
    Predicate<TraceBatch> others =
        batch -> {
          boolean isBegin = batch.phase() == TracePhase.BEGIN;
          int kind = isBegin ? 0 : 1;
          boolean isLost = batch.event().equals(OUTER) && isFirst[kind];
          isFirst[kind] &= !isLost;
          return batch.event().equals(OUTER) && !isLost;
        };
    int[] begins = new int[1];
    Follower follower =
        new Follower(
            others,
            batch ->
                batch.event().equals(OUTER)
                    && batch.phase() == TracePhase.BEGIN
                    && begins[0]++ == 0);
    writeTo(follower, 2);
    follower.flushSpans();

    assertThat(follower.written)
        .containsExactly(
            "begin held.outer NONE",
            "end held.outer NONE",
            "begin held.outer NONE",
            "end held.outer END_DROPPED");
  }

  @Test
  void theFlushAfterTheNextDecidesThatAnEndWasDropped() throws Exception {
    Follower follower = new Follower(batch -> !isInnerEnd(batch), batch -> false);
    writeTo(follower);

    assertThat(follower.written)
        .endsWith("begin held.inner NONE", "end held.inner END_DROPPED")
        .hasSize(4);
    assertThat(follower.spans.held.needsFlush(Long.MIN_VALUE)).isTrue();
    follower.flushSpans();
    assertThat(follower.spans.isForgettable()).isTrue();
  }
}
