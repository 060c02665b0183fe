package tracer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tracer.sink.MemorySink.Seen;
import tracer.sink.TracePhase;

/** Spans that are recorded when they are over, with the time at which they began. */
class EndedSpansTest extends TracerFixture {
  private static final TraceEvent STATEMENT = TraceEvent.named("ended.statement");

  @Test
  void aSpanThatIsOverIsAnEndThatSaysAllOfItsBegin() throws InterruptedException {
    Tracer tracer = started(settings -> settings.peakRate(400));
    long began = tracer.index().now();
    time.advance(Duration.ofNanos(5));
    long ended = tracer.index().now();
    time.advance(Duration.ofNanos(5));

    tracer.index().recordSpan(STATEMENT, began, ended, 1, 2, 3, 4);
    tracer.index().recordSpan(STATEMENT, began, ended);

    flush(tracer);
    assertThat(sink.events())
        .extracting(Seen::phase, Seen::depth, Seen::time, Seen::began, Seen::values)
        .containsExactly(
            tuple(TracePhase.END, 0, began + 5, began, List.of(1L, 2L, 3L, 4L)),
            tuple(TracePhase.END, 0, began + 5, began, List.of()));
  }

  @Test
  void anAsynchronousOneIsItsBeginAndItsEnd() throws InterruptedException {
    Tracer tracer = started(settings -> settings.peakRate(400));
    long began = tracer.index().now();
    time.advance(Duration.ofNanos(5));

    tracer.index().recordAsync(STATEMENT, 77, began, tracer.index().now(), 1, 2);

    flush(tracer);
    assertThat(sink.events())
        .extracting(Seen::phase, Seen::id, Seen::time, Seen::values)
        .containsExactly(
            tuple(TracePhase.ASYNC_BEGIN, 77L, began, List.of(1L, 2L)),
            tuple(TracePhase.ASYNC_END, 77L, began + 5, List.of()));
  }

  @Test
  void threadsThatShareRingsRecordThemToo() throws InterruptedException {
    Tracer tracer = started(settings -> settings.peakRate(400));
    tracer.index().record(STEP); // takes the only rings of its own
    long began = tracer.index().now();

    onAnotherThread(() -> tracer.index().recordSpan(STATEMENT, began, began + 9, 5));

    flush(tracer);
    assertThat(sink.events())
        .extracting(Seen::phase, Seen::time, Seen::began, Seen::values)
        .contains(tuple(TracePhase.END, began + 9, began, List.of(5L)));
  }

  @Test
  void oneThatTookTooLongDumps() {
    Tracer tracer =
        started(
            settings ->
                settings
                    .keepLast(Duration.ofSeconds(30))
                    .dumpWhenSlower(STATEMENT, Duration.ofNanos(10)));
    long began = tracer.index().now();

    tracer.index().recordSpan(STATEMENT, began, began + 10);
    assertThat(sink.dumps()).isEmpty();
    tracer.index().recordAsync(STATEMENT, 1, began, began + 11);

    Eventually.await("dump", () -> !sink.dumps().isEmpty());
  }

  @Test
  void whatIsExcludedIsNotRecordedAndFiveValuesAreTooMany() throws InterruptedException {
    Tracer tracer = started(settings -> settings.exclude(Exclusions.none().category("ended")));
    tracer.index().recordSpan(STATEMENT, 1, 2);
    tracer.index().recordAsync(STATEMENT, 1, 1, 2);

    flush(tracer);
    assertThat(sink.events()).isEmpty();
    assertThat(tracer.exclusions().categories()).containsExactly("ended");
    assertThat(tracer.exclusions().names()).isEmpty();
    assertThat(tracer.isFlightRecorder()).isFalse();
    assertThatThrownBy(() -> tracer.index().recordSpan(STATEMENT, 1, 2, 1, 2, 3, 4, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a span must have no more than 4 values but 'ended.statement' has 5; put them into an"
                + " event of its own");
  }
}
