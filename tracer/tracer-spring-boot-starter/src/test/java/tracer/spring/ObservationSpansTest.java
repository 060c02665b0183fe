package tracer.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.time.SettableTime;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tracer.ArgumentType;
import tracer.Exclusions;
import tracer.TraceEvent;
import tracer.TraceSpan;
import tracer.TraceValue;
import tracer.Tracer;
import tracer.sink.MemorySink;
import tracer.sink.MemorySink.Seen;
import tracer.sink.TracePhase;

/** What observations look like in a trace. */
@Timeout(60)
class ObservationSpansTest {
  private static final Duration STEP = Duration.ofMillis(5);
  private static final Duration LONG = Duration.ofMillis(101);

  @TempDir Path directory;

  private final MemorySink sink = new MemorySink();
  private final SettableTime time = new SettableTime();
  private final ObservationRegistry registry = ObservationRegistry.create();
  private Tracer tracer;
  private ObservationSpans spans;

  @BeforeEach
  void start() {
    tracer =
        Tracer.builder(sink)
            .time(time)
            .peakRate(100_000)
            .emergencyFile(directory.resolve("emergency.log"))
            .captureCrashes(false)
            .registerShutdownHook(false)
            .build();
    tracer.start();
    spans = new ObservationSpans(tracer, 4);
    registry.observationConfig().observationHandler(spans);
  }

  @AfterEach
  void close() {
    tracer.close();
  }

  private List<Seen> seen() throws InterruptedException {
    assertThat(tracer.flush(Duration.ofSeconds(20))).isTrue();
    return sink.events();
  }

  private List<TracePhase> phases() throws InterruptedException {
    return seen().stream().map(Seen::phase).toList();
  }

  private static List<String> texts(Seen event) {
    return event.values().stream().map(TraceValue::string).toList();
  }

  private static void onAnotherThread(Runnable work) throws InterruptedException {
    Thread thread = new Thread(work);
    thread.start();
    thread.join();
  }

  private Observation started(String name) {
    return Observation.start(name, registry);
  }

  @Test
  void onOneThreadItIsASpanOfTheThreadWithItsKeyValues() throws InterruptedException {
    long began = time.nanoTime();
    Observation.createNotStarted("spans.request", registry)
        .lowCardinalityKeyValue("method", "GET")
        .lowCardinalityKeyValue("outcome", "SUCCESS")
        .lowCardinalityKeyValue("uri", "/orders/{id}")
        .highCardinalityKeyValue("url", "/orders/42")
        .observe(() -> time.advance(STEP));

    Seen span = seen().get(0);
    assertThat(phases()).containsExactly(TracePhase.END);
    assertThat(span.name()).isEqualTo("spans.request");
    assertThat(span.thread()).isEqualTo(Thread.currentThread().getId());
    assertThat(span.began()).isEqualTo(began);
    assertThat(span.time()).isEqualTo(began + STEP.toNanos());
    assertThat(texts(span)).containsExactly("GET", "/orders/{id}");
    assertThat(TraceEvent.named("spans.request").arguments())
        .extracting("name", "type")
        .containsExactly(
            tuple("method", ArgumentType.INTERNED_STRING),
            tuple("uri", ArgumentType.INTERNED_STRING),
            tuple("error", ArgumentType.INTERNED_STRING));
  }

  @Test
  void aValueThatIsKnownAtTheEndIsInTheSpan() throws InterruptedException {
    Observation observation = started("spans.late").lowCardinalityKeyValue("status", "unknown");
    try (Observation.Scope scope = observation.openScope()) {
      assertThat(scope).isNotNull();
      time.advance(STEP);
    }
    observation.lowCardinalityKeyValue("status", "201");
    observation.stop();

    assertThat(texts(seen().get(0))).containsExactly("201");
  }

  @Test
  void anErrorMarksTheSpan() throws InterruptedException {
    assertThatThrownBy(
            () ->
                Observation.createNotStarted("spans.failing", registry)
                    .lowCardinalityKeyValue("table", "orders")
                    .observe(
                        () -> {
                          throw new IllegalStateException("no such order");
                        }))
        .hasMessage("no such order");

    assertThat(texts(seen().get(0))).containsExactly("orders", "java.lang.IllegalStateException");
  }

  @Test
  void stoppedByAnotherThreadItIsAsynchronous() throws InterruptedException {
    long began = time.nanoTime();
    Observation observation = started("spans.handed").lowCardinalityKeyValue("queue", "mail");
    try (Observation.Scope scope = observation.openScope()) {
      assertThat(scope).isNotNull();
      time.advance(STEP);
    }
    time.advance(STEP);
    onAnotherThread(observation::stop);

    assertThat(seen())
        .extracting(Seen::phase, Seen::name, Seen::time)
        .containsExactly(
            tuple(TracePhase.ASYNC_BEGIN, "spans.handed", began),
            tuple(TracePhase.ASYNC_END, "spans.handed", began + 2 * STEP.toNanos()));
    assertThat(texts(seen().get(0))).containsExactly("mail");
    assertThat(seen().get(0).id()).isEqualTo(seen().get(1).id());
  }

  @Test
  void withoutAScopeWithTwoOrWithWorkOutsideOfItItIsAsynchronous() throws InterruptedException {
    started("spans.plain").stop();
    Observation twice = started("spans.twice");
    twice.scoped(() -> time.advance(STEP));
    twice.scoped(() -> time.advance(STEP));
    twice.stop();
    Observation before = started("spans.outside");
    time.advance(LONG);
    before.scoped(() -> time.advance(STEP));
    before.stop();
    Observation after = started("spans.outside");
    after.scoped(() -> time.advance(STEP));
    time.advance(LONG);
    after.stop();

    assertThat(phases()).hasSize(8).doesNotContain(TracePhase.END);
    assertThat(seen().stream().map(Seen::id).distinct()).hasSize(4);
  }

  @Test
  void aLittleOutsideOfTheScopeDoesNotMakeItAsynchronous() throws InterruptedException {
    Observation little = started("spans.little");
    little.scoped(() -> time.advance(STEP));
    time.advance(Duration.ofMillis(100));
    little.stop();
    Observation longer = started("spans.little");
    time.advance(LONG);
    longer.scoped(() -> time.advance(LONG));
    longer.stop();

    assertThat(phases()).containsExactly(TracePhase.END, TracePhase.END);
    assertThat(seen())
        .extracting(span -> span.time() - span.began())
        .containsExactly(STEP.toNanos(), LONG.toNanos());
  }

  @Test
  void aScopeOnAnotherThreadMakesItAsynchronousAndLeavesSpansOfThreadsAlone()
      throws InterruptedException {
    try (TraceSpan own = tracer.index().span(TraceEvent.named("spans.own"))) {
      Observation observation = started("spans.elsewhere");
      onAnotherThread(() -> observation.scoped(() -> time.advance(STEP)));
      observation.stop();
      assertThat(own).isNotNull();
    }

    assertThat(seen().stream().filter(event -> event.name().equals("spans.own")))
        .extracting(Seen::phase)
        .containsExactly(TracePhase.BEGIN, TracePhase.END);
    assertThat(seen().stream().filter(event -> event.name().equals("spans.elsewhere")))
        .extracting(Seen::phase)
        .containsExactly(TracePhase.ASYNC_BEGIN, TracePhase.ASYNC_END);
  }

  @Test
  void observationsInEachOtherAreSpansInEachOther() throws InterruptedException {
    Observation.createNotStarted("spans.outer", registry)
        .observe(
            () -> {
              time.advance(STEP);
              Observation.createNotStarted("spans.inner", registry)
                  .observe(() -> time.advance(STEP));
              time.advance(STEP);
            });

    Seen inner = seen().get(0);
    Seen outer = seen().get(1);
    assertThat(inner.name()).isEqualTo("spans.inner");
    assertThat(inner.began()).isBetween(outer.began(), outer.time());
    assertThat(inner.time()).isBetween(outer.began(), outer.time());
  }

  @Test
  void eventsAreMoments() throws InterruptedException {
    Observation.createNotStarted("spans.eventful", registry)
        .observe(() -> registry.getCurrentObservation().event(Observation.Event.of("spans.retry")));

    assertThat(seen())
        .extracting(Seen::phase, Seen::name)
        .containsExactly(
            tuple(TracePhase.INSTANT, "spans.retry"), tuple(TracePhase.END, "spans.eventful"));
  }

  @Test
  void namesAreBoundedAndThatIsSaidOnce() throws InterruptedException {
    try (CapturedLog log = new CapturedLog("tracer")) {
      for (int i = 0; i < 10; i++) {
        Observation.createNotStarted("spans.bounded." + i, registry).observe(() -> {});
      }

      assertThat(seen().stream().filter(event -> event.name().equals(ObservationSpans.OTHER)))
          .hasSize(6);
      assertThat(spans.others()).isEqualTo(6);
      assertThat(log.messages(Level.WARNING))
          .containsExactly(
              "tracer records observation 'spans.bounded.4' and further ones as"
                  + " 'observation.other': there are 4 others; raise tracer.observations.max-names,"
                  + " or give observations few names");
    }
  }

  @Test
  void aNameThatIsTooLongIsRecordedAsOther() throws InterruptedException {
    Observation.createNotStarted("x".repeat(257), registry).observe(() -> {});

    assertThat(seen()).extracting(Seen::name).containsExactly(ObservationSpans.OTHER);
  }

  @Test
  void anEventDeclaredWithOtherValuesIsRecordedWithoutThem() throws InterruptedException {
    TraceEvent.named("spans.declared").arg("cents", ArgumentType.LONG);
    try (CapturedLog log = new CapturedLog("tracer")) {
      Observation.createNotStarted("spans.declared", registry)
          .lowCardinalityKeyValue("table", "orders")
          .observe(() -> {});

      assertThat(seen()).extracting(Seen::values).containsExactly(List.of());
      assertThat(log.messages(Level.WARNING))
          .singleElement()
          .asString()
          .startsWith("tracer records observations of a name without values: argument 1 of event")
          .contains("'spans.declared' must be 'cents LONG'");
    }
  }

  @Test
  void aKeyThatIsMissingNowIsNone() throws InterruptedException {
    Observation.createNotStarted("spans.keys", registry)
        .lowCardinalityKeyValue("a", "1")
        .observe(() -> {});
    Observation.createNotStarted("spans.keys", registry)
        .lowCardinalityKeyValue("b", "2")
        .observe(() -> {});

    assertThat(seen().stream().map(ObservationSpansTest::texts))
        .containsExactly(List.of("1"), List.of("none"));
  }

  @Test
  void whatIsExcludedIsNotRecorded() throws InterruptedException {
    tracer.exclude(Exclusions.none().category("spans"));
    Observation.createNotStarted("spans.excluded", registry).observe(() -> {});

    assertThat(seen()).isEmpty();
  }

  @Test
  void noNamesAtAllAreRefused() {
    assertThatThrownBy(() -> new ObservationSpans(tracer, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("mostNames must be 1 or more but was 0");
  }
}
