package holdfast.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** When a loop takes its steps, and what does not end it. */
class LoopTest extends StartedLoops {

  @Test
  void theFirstStepComesAtOnceOnANamedDaemon() throws Exception {
    AtomicReference<Thread> thread = new AtomicReference<>();
    Loop loop =
        started(
            () -> {
              thread.set(Thread.currentThread());
              return CEILING;
            });
    time.nextWait();
    loop.start();
    assertThat(steps).hasValue(1);
    assertThat(thread.get().getName()).isEqualTo("walk-1");
    assertThat(thread.get().isDaemon()).isTrue();
  }

  @Test
  void itWaitsAsLongAsTheStepSays() throws Exception {
    started(() -> Duration.ofSeconds(3));
    assertThat(time.nextWait()).isEqualTo(Duration.ofSeconds(3));
    time.advance(Duration.ofSeconds(1));
    assertThat(time.nextWait()).as("woken for nothing").isEqualTo(Duration.ofSeconds(2));
    assertThat(steps).hasValue(1);
    time.advance(Duration.ofSeconds(2));
    assertThat(time.nextWait()).isEqualTo(Duration.ofSeconds(3));
    assertThat(steps).hasValue(2);
  }

  @Test
  void itWaitsNoLongerThanTheCeilingAndEachTimeABitLess() throws Exception {
    started(() -> LONG);
    Set<Duration> waits = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      Duration wait = time.nextWait();
      assertThat(wait).isBetween(CEILING.multipliedBy(8).dividedBy(10), CEILING);
      waits.add(wait);
      time.advance(CEILING);
    }
    assertThat(waits).hasSizeGreaterThan(10);
  }

  @Test
  void aStepThatWantsNoPauseIsFollowedByTheNext() throws Exception {
    started(() -> steps.get() < 100 ? Duration.ofNanos(1 - steps.get()) : LONG);
    time.nextWait();
    assertThat(steps).hasValue(100);
  }

  @Test
  void wakingItUpTakesTheNextStepAtOnce() throws Exception {
    Loop loop = started(() -> LONG);
    time.nextWait();
    loop.wakeUp();
    time.nextWait();
    assertThat(steps).hasValue(2);
    loop.wakeIn(Duration.ZERO);
    time.nextWait();
    assertThat(steps).hasValue(3);
    loop.wakeIn(Duration.ofSeconds(-1));
    time.nextWait();
    assertThat(steps).hasValue(4);
  }

  @Test
  void wakingItUpDuringAStepTakesOneMore() throws Exception {
    AtomicReference<Loop> loop = new AtomicReference<>();
    CountDownLatch set = new CountDownLatch(1);
    loop.set(
        started(
            () -> {
              set.await();
              if (steps.get() == 1) {
                loop.get().wakeUp();
                loop.get().wakeUp();
              }
              return LONG;
            }));
    set.countDown();
    time.nextWait();
    assertThat(steps).hasValue(2);
  }

  @Test
  void wakingItInAWhileShortensTheWaitAndStepsBetweenDoNotCount() throws Exception {
    Loop loop = started(() -> LONG);
    time.nextWait();
    loop.wakeIn(Duration.ofSeconds(5));
    assertThat(time.nextWait()).isEqualTo(Duration.ofSeconds(5));
    loop.wakeIn(Duration.ofSeconds(2));
    assertThat(time.nextWait()).isEqualTo(Duration.ofSeconds(2));
    assertThat(steps).hasValue(1);
    time.advance(Duration.ofSeconds(2));
    assertThat(time.nextWait()).isEqualTo(Duration.ofSeconds(3));
    assertThat(steps).hasValue(2);
    loop.wakeUp();
    assertThat(time.nextWait()).isEqualTo(Duration.ofSeconds(3));
    assertThat(steps).hasValue(3);
    time.advance(Duration.ofSeconds(3));
    assertThat(time.nextWait()).isGreaterThanOrEqualTo(Duration.ofSeconds(8));
    assertThat(steps).hasValue(4);
  }

  @Test
  void wakingItLaterThanTheCeilingIsNothingNew() throws Exception {
    Loop loop = started(() -> Duration.ofSeconds(3));
    time.nextWait();
    loop.wakeIn(CEILING);
    loop.wakeIn(LONG);
    loop.wakeIn(Duration.ofSeconds(Long.MAX_VALUE));
    time.advance(Duration.ofSeconds(3));
    assertThat(time.nextWait()).isEqualTo(Duration.ofSeconds(3));
    assertThat(steps).hasValue(2);
  }

  @Test
  void aStepThatFailsIsReportedAndTakenAgain() throws Exception {
    started(
        () -> {
          if (steps.get() == 1) {
            throw new IOException("no route");
          }
          if (steps.get() == 2) {
            throw new IllegalStateException("no sense");
          }
          return Duration.ofSeconds(1);
        });
    assertThat(time.nextWait()).isBetween(Duration.ofSeconds(8), CEILING);
    assertThat(failures).singleElement().isInstanceOf(IOException.class);
    time.advance(CEILING);
    assertThat(time.nextWait()).isBetween(Duration.ofSeconds(8), CEILING);
    assertThat(failures).hasSize(2);
    time.advance(CEILING);
    assertThat(time.nextWait()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void anErrorEndsTheThreadAndAnotherGoesOnAfterAWhile() throws Exception {
    BlockingQueue<String> threads = new LinkedBlockingQueue<>();
    Loop loop =
        started(
            () -> {
              threads.add(Thread.currentThread().getName());
              if (steps.get() == 1) {
                Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> {});
                throw new NoClassDefFoundError("half/Deployed");
              }
              return LONG;
            });
    assertThat(time.nextWait()).isBetween(Duration.ofSeconds(8), CEILING);
    assertThat(steps).hasValue(1);
    time.advance(CEILING);
    time.nextWait();
    assertThat(threads).containsExactly("walk-1", "walk-2");
    assertThat(loop.close(Duration.ofSeconds(30))).isTrue();
  }

  @Test
  void anInterruptThatAStepLeavesBehindDoesNotEndIt() throws Exception {
    started(
        () -> {
          Thread.currentThread().interrupt();
          return Duration.ofSeconds(3);
        });
    assertThat(time.nextWait()).isEqualTo(Duration.ofSeconds(3));
    time.advance(Duration.ofSeconds(3));
    assertThat(time.nextWait()).isEqualTo(Duration.ofSeconds(3));
    assertThat(steps).hasValue(2);
    assertThat(failures).isEmpty();
  }

  @Test
  void anInterruptFromOutsideDoesNotEndIt() throws Exception {
    AtomicReference<Thread> thread = new AtomicReference<>();
    started(
        () -> {
          thread.set(Thread.currentThread());
          return Duration.ofSeconds(3);
        });
    time.nextWait();
    thread.get().interrupt();
    assertThat(time.nextWait()).isEqualTo(Duration.ofSeconds(3));
    assertThat(steps).hasValue(1);
  }

  @Test
  void theLongestCeilingIsAsGoodAsEndless() throws Exception {
    Loop loop =
        started(Duration.ofSeconds(Long.MAX_VALUE), () -> Duration.ofSeconds(Long.MAX_VALUE), time);
    assertThat(time.nextWait()).isGreaterThan(LONG.dividedBy(2));
    time.advance(Duration.ofDays(365));
    assertThat(time.nextWait()).isGreaterThan(LONG.dividedBy(2));
    loop.wakeIn(Duration.ofSeconds(1));
    assertThat(time.nextWait()).isEqualTo(Duration.ofSeconds(1));
    assertThat(steps).hasValue(1);
  }

  @Test
  void aCeilingOfNothingIsRefused() {
    for (Duration ceiling : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
      assertThatThrownBy(() -> new Loop("walk", ceiling, () -> LONG, failures::add, time))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("ceiling of walk must be more than zero but was " + ceiling);
    }
  }
}
