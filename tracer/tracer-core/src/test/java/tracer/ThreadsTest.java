package tracer;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.lifecycle.Threads;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import tracer.sink.MemorySink.Seen;

/** Threads that end, threads beyond the number of producers, and virtual threads. */
class ThreadsTest extends TracerFixture {

  @Test
  void theRingsOfThreadsThatEndedAreCollectedAndUsedAgain() throws InterruptedException {
    Tracer tracer = started(settings -> settings.producers(2).peakRate(80));
    for (int i = 0; i < 50; i++) {
      int from = i * 3;
      onAnotherThread(() -> record(tracer, from, 3));
      flush(tracer);
    }

    assertThat(sink.firstValues(Lane.INDEX)).isEqualTo(range(0, 150));
    assertThat(lane(tracer, Lane.INDEX).poolFree()).isEqualTo(8);
    assertThat(sink.events()).extracting(Seen::thread).hasSize(150);
    assertThat(sink.events().stream().map(Seen::thread).distinct().count()).isEqualTo(50);
    assertThat(tracer.ledger().lost()).isZero();
  }

  @Test
  void furtherThreadsShareRingsAndLoseNothing() throws InterruptedException {
    Tracer tracer = started(settings -> settings.producers(1).peakRate(40_000));
    int threads = 16;
    run(tracer, threads, 200, false);
    flush(tracer);

    assertEveryEvent(threads, 200);
    assertThat(balanced(tracer).lost()).isZero();
  }

  @Test
  void virtualThreadsShareRingsToo() throws InterruptedException {
    Tracer tracer = started(settings -> settings.producers(2).peakRate(400_000));
    int threads = 500;
    run(tracer, threads, 20, true);
    flush(tracer);

    assertEveryEvent(threads, 20);
    assertThat(balanced(tracer).lost()).isZero();
  }

  @Test
  void virtualThreadsThatDropEventsDoNotKeepEachOtherFromTheirProcessors()
      throws InterruptedException {
    Tracer tracer =
        Tracer.builder(batch -> {})
            .producers(2)
            .peakRate(1000)
            .burstWindow(Duration.ofSeconds(1))
            .largestDetail(100)
            .captureCrashes(false)
            .registerShutdownHook(false)
            .build();
    tracer.start();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      threads.add(
          (i < 2 ? Threads.daemon("test-platform") : Threads.virtualIfAvailable("test-virtual"))
              .newThread(() -> recordAndRest(tracer, 100)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(lane(tracer, Lane.INDEX).eventsWritten()).isEqualTo(100 * 100 * 1000);
    assertThat(balanced(tracer).lost()).isPositive();
    tracer.close();
  }

  /** Leaves its processor once in a while, which is when another may take its place for good. */
  private static void recordAndRest(Tracer tracer, int times) {
    for (int i = 0; i < times; i++) {
      record(tracer, 0, 1000);
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void manyThreadsThatComeAndGoDoNotTakeMoreRings() throws InterruptedException {
    Tracer tracer = started(settings -> settings.producers(4).peakRate(16_000));
    for (int round = 0; round < 10; round++) {
      run(tracer, 20, 10, false);
      flush(tracer);
    }
    Eventually.await(
        "ended threads give up their rings",
        () -> {
          flush(tracer);
          return lane(tracer, Lane.INDEX).poolFree() >= 16 - 4; // those of the shared writers
        });
    assertThat(sink.events()).hasSize(2000);
    assertThat(balanced(tracer).lost()).isZero();
  }

  private void run(Tracer tracer, int count, int events, boolean virtual)
      throws InterruptedException {
    var factory =
        virtual ? Threads.virtualIfAvailable("test-virtual") : Threads.daemon("test-platform");
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long number = i;
      threads.add(
          factory.newThread(
              () -> {
                for (int k = 0; k < events; k++) {
                  tracer.index().record(STEP, number, k, ~number);
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join(Duration.ofSeconds(30).toMillis());
    }
  }

  /** Each event once, whole, and those of one thread under one number. */
  private void assertEveryEvent(int threads, int events) {
    Set<List<Long>> seen = new HashSet<>();
    for (Seen event : sink.events()) {
      long number = event.values().get(0);
      assertThat(event.values().get(2)).isEqualTo(~number);
      assertThat(seen.add(List.of(number, event.values().get(1)))).isTrue();
    }
    assertThat(seen).hasSize(threads * events);
    assertThat(sink.events().stream().map(Seen::thread).distinct().count()).isEqualTo(threads);
  }
}
