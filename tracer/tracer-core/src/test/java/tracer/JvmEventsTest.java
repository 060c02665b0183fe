package tracer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.process.ChildJvm;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tracer.sink.MemorySink;
import tracer.sink.MemorySink.Seen;
import tracer.sink.TracePhase;

/** What the flight recorder of the JVM reports, on the time axis of the tracer. */
@Timeout(120)
class JvmEventsTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final long TOLERANCE = TimeUnit.MILLISECONDS.toNanos(50);

  private final MemorySink sink = new MemorySink();

  private Tracer started(Duration atLeast) {
    Tracer tracer =
        Tracer.builder(sink)
            .peakRate(100_000)
            .captureCrashes(false)
            .registerShutdownHook(false)
            .jvmEvents(atLeast)
            .build();
    tracer.start();
    return tracer;
  }

  private Stream<Seen> begins(TraceEvent kind) {
    return sink.events().stream()
        .filter(it -> it.phase() == TracePhase.ASYNC_BEGIN && it.name().equals(kind.name()));
  }

  private long end(Seen begin) {
    return sink.events().stream()
        .filter(it -> it.phase() == TracePhase.ASYNC_END && it.id() == begin.id())
        .findFirst()
        .map(Seen::time)
        .orElse(Long.MAX_VALUE); // not written yet
  }

  @Test
  void aCollectionAndItsSafepointAreSpansAtTheTimeTheyHappened() throws Exception {
    Tracer tracer = started(Duration.ZERO);
    try (tracer) {
      // It waits for the flight recorder to start by parking, which is recorded from then on.
      Eventually.await(
          "the flight recorder has started",
          () -> tracer.flush(SOON) && begins(JvmEventStream.PARKED).findAny().isPresent());
      long[] calledAndBack = new long[2];
      calledAndBack[0] = tracer.index().now();
      System.gc();
      calledAndBack[1] = tracer.index().now();
      Eventually.await(
          "the collection is recorded",
          () ->
              tracer.flush(SOON)
                  && asked(calledAndBack).isPresent()
                  && withOperation(calledAndBack).isPresent());

      Seen collection = asked(calledAndBack).orElseThrow();
      assertThat(collection.values().get(2)).as("µs").isPositive();
      assertThat(end(collection)).isBetween(collection.time(), calledAndBack[1] + TOLERANCE);
      Seen safepoint = withOperation(calledAndBack).orElseThrow();
      assertThat(end(safepoint)).isGreaterThan(safepoint.time());
    }
    assertThat(tracer.ledger().unaccounted()).as("at rest").isZero();
  }

  /** The collection that was asked for: the JVM may add one of its own at any time. */
  private Optional<Seen> asked(long... calledAndBack) {
    return within(JvmEventStream.COLLECTION, calledAndBack)
        .filter(it -> TraceValue.string(it.values().get(1)).equals("System.gc()"))
        .findFirst();
  }

  /** Of its safepoints one that says what it is for; others of the JVM may not. */
  private Optional<Seen> withOperation(long... calledAndBack) {
    return within(JvmEventStream.SAFEPOINT, calledAndBack)
        .filter(it -> !TraceValue.string(it.values().get(0)).isEmpty())
        .findFirst();
  }

  private Stream<Seen> within(TraceEvent kind, long... calledAndBack) {
    return begins(kind)
        .filter(it -> it.time() > calledAndBack[0] - TOLERANCE && it.time() < calledAndBack[1])
        .filter(it -> end(it) < calledAndBack[1] + TOLERANCE);
  }

  @Test
  void aParkedThreadIsASpanWithItsNameAndWhatItWaitedFor() throws Exception {
    Duration atLeast = Duration.ofMillis(5);
    CountDownLatch over = new CountDownLatch(1);
    try (Tracer tracer = started(atLeast)) {
      CountDownLatch never = new CountDownLatch(1);
      Thread waiting =
          new Thread(
              () -> {
                try {
                  while (!over.await(0, TimeUnit.SECONDS)) {
                    never.await(10, TimeUnit.MILLISECONDS); // is parked for that long
                  }
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              },
              "waits-for-latch");
      waiting.start();
      Eventually.await(
          "it is recorded",
          () -> tracer.flush(SOON) && begins(JvmEventStream.PARKED).anyMatch(this::isOfLatch));
      over.countDown();
      waiting.join();
    } finally {
      over.countDown();
    }
    assertThat(begins(JvmEventStream.PARKED))
        .allSatisfy(
            it -> {
              assertThat(end(it) - it.time()).isGreaterThanOrEqualTo(atLeast.toNanos());
              assertThat(TraceValue.string(it.values().get(0))).doesNotStartWith("tracer-");
            });
    Eventually.await(
        "its thread has ended",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(it -> it.getName().equals("tracer-jvm-events")));
  }

  private boolean isOfLatch(Seen parked) {
    return TraceValue.string(parked.values().get(0)).equals("waits-for-latch")
        && TraceValue.string(parked.values().get(1)).contains("CountDownLatch");
  }

  /** Records something, in a JVM that may have no flight recorder. */
  static final class Program {
    private static final TraceEvent STEP = TraceEvent.named("test.step");

    public static void main(String[] args) throws Exception {
      MemorySink sink = new MemorySink();
      try (Tracer tracer = Tracer.builder(sink).jvmEvents(Duration.ZERO).build()) {
        tracer.start();
        tracer.index().record(STEP, 1);
        tracer.flush(SOON);
        System.out.println("written " + sink.events().size());
        System.out.flush();
        System.in.read(); // until the test has seen enough
      }
    }
  }

  @Test
  void aJvmWithoutAFlightRecorderSaysSoAndTheTracerWorks() throws Exception {
    try (ChildJvm child =
        ChildJvm.of(Program.class)
            .jvmOptions("--limit-modules", "java.base,java.logging,java.management")
            .start()) {
      child.awaitLine("written 1"::equals, SOON);
      Eventually.await("the warning", () -> child.errors().contains("no module jdk.jfr"));
      assertThat(child.errors())
          .contains("WARNING: tracer records no events of the JVM")
          .contains("--add-modules jdk.jfr");
    }
  }

  @Test
  void aNegativeTimeIsRefused() {
    assertThatThrownBy(() -> Tracer.builder(sink).jvmEvents(Duration.ofMillis(-1)).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("jvmEvents")
        .hasMessageContaining("PT-0.001S");
  }
}
