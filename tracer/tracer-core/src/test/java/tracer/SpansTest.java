package tracer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.sun.management.ThreadMXBean;
import holdfast.testkit.threads.Eventually;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tracer.sink.MemorySink.Seen;
import tracer.sink.TracePhase;

/** Spans, asynchronous spans, flows, counters and values reach the sink as they were recorded. */
class SpansTest extends TracerFixture {
  private static final TraceEvent OUTER = TraceEvent.named("span.outer");
  private static final TraceEvent INNER = TraceEvent.named("span.inner");

  private List<Seen> seen(Tracer tracer) throws InterruptedException {
    flush(tracer);
    return sink.events();
  }

  private List<String> shape(Tracer tracer) throws InterruptedException {
    return seen(tracer).stream()
        .map(event -> event.phase() + " " + event.name() + " " + event.depth())
        .toList();
  }

  @Test
  void aSpanIsABeginAndAnEndThatSaysWhenItBegan() throws InterruptedException {
    Tracer tracer = started(settings -> settings.peakRate(400));
    long began = time.nanoTime();
    try (TraceSpan outer = tracer.index().span(OUTER, 7)) {
      time.advance(Duration.ofNanos(5));
      try (TraceSpan inner = tracer.index().span(INNER)) {
        assertThat(inner).isNotSameAs(outer);
        time.advance(Duration.ofNanos(5));
      }
    }

    assertThat(seen(tracer))
        .extracting(Seen::phase, Seen::name, Seen::depth, Seen::time, Seen::began, Seen::values)
        .containsExactly(
            tuple(TracePhase.BEGIN, "span.outer", 1, began, began, List.of(7L)),
            tuple(TracePhase.BEGIN, "span.inner", 2, began + 5, began + 5, List.of()),
            tuple(TracePhase.END, "span.inner", 2, began + 10, began + 5, List.of()),
            tuple(TracePhase.END, "span.outer", 1, began + 10, began, List.of()));
  }

  @Test
  void noneToFourValuesAreRecordedWithMomentsAndSpans() throws InterruptedException {
    Tracer tracer = started(settings -> settings.peakRate(4000));
    IndexLane lane = tracer.index();
    lane.record(STEP);
    lane.record(STEP, 1);
    lane.record(STEP, 1, 2);
    lane.record(STEP, 1, 2, 3);
    lane.record(STEP, 1, 2, 3, 4);
    lane.span(OUTER).close();
    lane.span(OUTER, 1).close();
    lane.span(OUTER, 1, 2).close();
    lane.span(OUTER, 1, 2, 3).close();
    lane.span(OUTER, 1, 2, 3, 4).close();
    lane.begin(OUTER);
    lane.begin(OUTER, 1);
    lane.begin(OUTER, 1, 2);
    lane.begin(OUTER, 1, 2, 3);
    lane.begin(OUTER, 1, 2, 3, 4);
    for (int i = 0; i < 5; i++) {
      lane.end(OUTER);
    }
    lane.beginAsync(OUTER, 1);
    lane.beginAsync(OUTER, 2, 1);
    lane.beginAsync(OUTER, 3, 1, 2);
    lane.beginAsync(OUTER, 4, 1, 2, 3);
    lane.beginAsync(OUTER, 5, 1, 2, 3, 4);

    List<Seen> seen = seen(tracer);
    for (TracePhase phase : List.of(TracePhase.INSTANT, TracePhase.ASYNC_BEGIN)) {
      assertThat(seen.stream().filter(event -> event.phase() == phase).map(Seen::values))
          .containsExactly(
              List.of(),
              List.of(1L),
              List.of(1L, 2L),
              List.of(1L, 2L, 3L),
              List.of(1L, 2L, 3L, 4L));
    }
    assertThat(seen.stream().filter(event -> event.phase() == TracePhase.BEGIN).map(Seen::values))
        .hasSize(10)
        .endsWith(List.of(1L, 2L, 3L), List.of(1L, 2L, 3L, 4L));
    assertThat(seen.stream().filter(event -> event.phase() == TracePhase.END)).hasSize(10);
    assertThat(balanced(tracer).accepted()).isEqualTo(30);
  }

  @Test
  void closingASpanTwiceDoesNothing() throws InterruptedException {
    Tracer tracer = started();
    TraceSpan span = tracer.index().span(OUTER);
    span.close();
    span.close();
    span.flow(7);

    assertThat(seen(tracer)).hasSize(2);
  }

  @Test
  void closingASpanClosesThoseInIt() throws InterruptedException {
    Tracer tracer = started();
    TraceSpan outer = tracer.index().span(OUTER);
    TraceSpan inner = tracer.index().span(INNER);
    outer.close();
    inner.close();

    assertThat(shape(tracer))
        .containsExactly(
            "BEGIN span.outer 1", "BEGIN span.inner 2", "END span.inner 2", "END span.outer 1");
  }

  @Test
  void anotherThreadIsRefusedAndToldWhatToDo() throws Exception {
    Tracer tracer = started(settings -> settings.peakRate(400));
    TraceSpan span = tracer.index().span(OUTER);
    onAnotherThread(
        () -> {
          tracer.index().record(STEP);
          assertThatThrownBy(span::close)
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("span 'span.outer' must be used by the thread that began it")
              .hasMessageContaining("beginAsync(event, id)");
          assertThatThrownBy(() -> span.flow(1)).isInstanceOf(IllegalStateException.class);
        });
    span.close();

    assertThat(shape(tracer)).contains("END span.outer 1").hasSize(3);
  }

  @Test
  void anotherThreadIsRefusedASpanOfSharedRingsToo() throws Exception {
    Tracer tracer = started(settings -> settings.peakRate(400));
    tracer.index().record(STEP); // the only rings of a thread
    Object[] begun = new Object[1];
    onAnotherThread(() -> begun[0] = tracer.index().span(OUTER, 1, 2));
    assertThatThrownBy(() -> ((TraceSpan) begun[0]).close())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("must be used by the thread that began it");
  }

  @Test
  void threadsThatShareRingsHaveSpansWhoseEndsSayHowTheyBegan() throws Exception {
    Tracer tracer = started(settings -> settings.peakRate(4000));
    tracer.index().record(STEP);
    onAnotherThread(
        () -> {
          try (TraceSpan outer = tracer.index().span(OUTER, 1, 2, 3, 4).flow(9)) {
            tracer.index().begin(INNER, 5);
            tracer.index().begin(INNER);
            tracer.index().end(INNER);
            tracer.index().end(INNER);
            tracer.index().end(INNER);
            outer.endFlow(9);
          }
        });

    assertThat(seen(tracer))
        .filteredOn(event -> event.thread() != Thread.currentThread().getId())
        .extracting(Seen::phase, Seen::name, Seen::depth, Seen::values, Seen::id)
        .containsExactly(
            tuple(TracePhase.BEGIN, "span.outer", 1, List.of(1L, 2L, 3L, 4L), 0L),
            tuple(TracePhase.FLOW, "span.outer", 0, List.of(), 9L),
            tuple(TracePhase.BEGIN, "span.inner", 2, List.of(5L), 0L),
            tuple(TracePhase.BEGIN, "span.inner", 3, List.of(), 0L),
            tuple(TracePhase.END, "span.inner", 3, List.of(), 0L),
            tuple(TracePhase.END, "span.inner", 2, List.of(5L), 0L),
            tuple(TracePhase.FLOW_END, "span.outer", 0, List.of(), 9L),
            tuple(TracePhase.END, "span.outer", 1, List.of(1L, 2L, 3L, 4L), 0L));
  }

  @Test
  void closingASpanClosesThoseInItOnThreadsThatShareRingsToo() throws Exception {
    Tracer tracer = started(settings -> settings.peakRate(4000));
    tracer.index().record(STEP);
    onAnotherThread(
        () -> {
          try (TraceSpan outer = tracer.index().span(OUTER)) {
            tracer.index().begin(INNER, 1);
            TraceSpan forgotten = tracer.index().span(INNER, 2);
            assertThat(forgotten).isNotSameAs(outer);
          }
          tracer.index().end(INNER); // it is over
          TraceSpan again = tracer.index().span(OUTER);
          tracer.index().begin(INNER);
          tracer.index().end(OUTER); // however it was begun
          again.close();
        });

    assertThat(shape(tracer))
        .containsExactly(
            "INSTANT test.step 0",
            "BEGIN span.outer 1",
            "BEGIN span.inner 2",
            "BEGIN span.inner 3",
            "END span.inner 3",
            "END span.inner 2",
            "END span.outer 1",
            "BEGIN span.outer 1",
            "BEGIN span.inner 2",
            "END span.inner 2",
            "END span.outer 1");
  }

  @Test
  void endingWhatWasNotBegunDoesNothing() throws InterruptedException {
    Tracer tracer = started();
    tracer.index().end(OUTER);
    tracer.index().endAsync(OUTER, 1);
    try (TraceSpan span = tracer.index().span(INNER)) {
      tracer.index().end(OUTER);
      assertThat(span).isNotNull();
    }
    assertThat(seen(tracer)).hasSize(2);
  }

  @Test
  void whatIsOpenEndsAlthoughItsCategoryWasDisabledAndTheOtherWayRound() throws Exception {
    Tracer tracer = started(settings -> settings.peakRate(400));
    TraceSpan open = tracer.index().span(OUTER);
    tracer.index().begin(INNER);
    tracer.index().beginAsync(INNER, 1);
    tracer.disableCategory("span");
    assertThat(tracer.index().records(OUTER)).isFalse();
    TraceSpan unseen = tracer.index().span(OUTER, 1).flow(1).endFlow(1);
    tracer.index().record(OUTER);
    tracer.index().counter(OUTER, 1);
    tracer.index().flow(OUTER, 1);
    tracer.index().beginAsync(OUTER, 2);
    tracer.index().endAsync(INNER, 1);
    tracer.index().end(INNER);
    open.close();
    tracer.enableCategory("span");
    assertThat(tracer.index().records(OUTER)).isTrue();
    unseen.close();
    tracer.index().endAsync(OUTER, 2);

    assertThat(shape(tracer))
        .containsExactly(
            "BEGIN span.outer 1",
            "BEGIN span.inner 2",
            "ASYNC_BEGIN span.inner 0",
            "ASYNC_END span.inner 0",
            "END span.inner 2",
            "END span.outer 1");
  }

  @Test
  void asynchronousSpansFlowsAndCountersHaveTheirIdsAndValues() throws Exception {
    Tracer tracer = started(settings -> settings.peakRate(400));
    tracer.index().beginAsync(OUTER, 42, 5);
    onAnotherThread(() -> tracer.index().endAsync(OUTER, 42));
    tracer.index().flow(STEP, 43);
    tracer.index().endFlow(STEP, 43);
    tracer.index().counter(STEP, -1);
    tracer.index().counter(STEP, 0.5);

    assertThat(seen(tracer))
        .extracting(Seen::phase, Seen::id, Seen::values)
        .containsExactlyInAnyOrder(
            tuple(TracePhase.ASYNC_BEGIN, 42L, List.of(5L)),
            tuple(TracePhase.ASYNC_END, 42L, List.of()),
            tuple(TracePhase.FLOW, 43L, List.of()),
            tuple(TracePhase.FLOW_END, 43L, List.of()),
            tuple(TracePhase.COUNTER, 0L, List.of(-1L)),
            tuple(TracePhase.COUNTER, 0L, List.of(TraceValue.of(0.5))));
  }

  @Test
  void spansMayBeDeeperThanARecordCanSay() throws InterruptedException {
    Tracer tracer = started(settings -> settings.peakRate(4000));
    for (int i = 0; i < 200; i++) {
      tracer.index().begin(OUTER, i);
    }
    for (int i = 0; i < 200; i++) {
      tracer.index().end(OUTER);
    }
    List<Seen> seen = seen(tracer);
    assertThat(seen).hasSize(400);
    assertThat(seen.get(126).depth()).isEqualTo(127);
    assertThat(seen.get(127).depth()).isZero();
    assertThat(seen.get(199 + 73).depth()).isZero();
    assertThat(seen.get(399).depth()).isEqualTo(1);
  }

  @Test
  void aThreadThatEndsWithOpenSpansLeavesNoneToTheNext() throws Exception {
    Tracer tracer = started(settings -> settings.peakRate(400));
    onAnotherThread(() -> tracer.index().begin(OUTER));
    flush(tracer);
    Eventually.await(
        "its rings are free for another",
        () -> {
          time.advance(Duration.ofSeconds(1));
          tracer.index().span(INNER).close();
          flush(tracer);
          return sink.events().stream()
              .anyMatch(it -> it.name().equals("span.inner") && it.depth() == 1);
        });
    tracer.index().end(OUTER);
    flush(tracer);
    assertThat(sink.events())
        .filteredOn(it -> it.phase() == TracePhase.END)
        .extracting(Seen::name)
        .containsOnly("span.inner");
  }

  @Test
  void theNoopTracerTakesEverythingAndRecordsNothing() throws Exception {
    Tracer tracer = Tracer.noop();
    tracer.start();
    try (TraceSpan span = tracer.index().span(OUTER, 1).flow(1)) {
      tracer.index().record(STEP, 1, 2);
      tracer.index().begin(INNER);
      tracer.index().end(INNER);
      tracer.index().beginAsync(INNER, 1);
      tracer.index().endAsync(INNER, 1);
      tracer.detail().record(NOTE, "note");
      assertThat(tracer.critical().record(CRASH, "why")).isFalse();
      assertThat(span).isNotNull();
    }
    tracer.exclude(Exclusions.none());
    tracer.enableCategory("span");
    assertThat(tracer.index().records(OUTER)).isFalse();
    assertThat(tracer.flush(Duration.ZERO)).isTrue();
    tracer.close();
    assertThat(tracer.ledger().accepted()).isZero();
    assertThat(Tracer.noop()).isSameAs(tracer);
  }

  @Test
  void aSpanAllocatesNothing() {
    Tracer tracer = stopped(settings -> settings.peakRate(4000));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long table = TraceValue.of("orders");
    String name = "orders";
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 20; round++) {
      long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
      for (int i = 0; i < 3; i++) { // what fits into a ring; changing rings allocates a little
        try (TraceSpan span = tracer.index().span(OUTER, TraceValue.of(name), table)) {
          span.flow(i);
        }
      }
      least =
          Math.min(least, threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before);
    }
    assertThat(least).isZero();
  }
}
