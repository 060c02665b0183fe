package holdfast.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.time.TimeSource;
import holdfast.time.WatchedTime;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A loop on a clock that shows how long it wants to wait. */
@Timeout(60)
class LoopTest {
  private static final Duration CEILING = Duration.ofSeconds(10);
  private static final Duration LONG = Duration.ofDays(36_500);

  private final WatchedTime time = new WatchedTime();
  private final AtomicInteger steps = new AtomicInteger();
  private final List<Exception> failures = new CopyOnWriteArrayList<>();
  private final List<Loop> made = new CopyOnWriteArrayList<>();

  @AfterEach
  void closeAll() {
    made.forEach(loop -> loop.close(Duration.ofSeconds(30)));
  }

  private Loop started(Duration ceiling, Loop.Step step, TimeSource clock) {
    Loop loop =
        new Loop(
            "walk",
            ceiling,
            () -> {
              steps.incrementAndGet();
              return step.take();
            },
            failures::add,
            clock);
    made.add(loop);
    loop.start();
    return loop;
  }

  private Loop started(Loop.Step step) {
    return started(CEILING, step, time);
  }

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
  void closingItEndsTheWaitAndTheThread() throws Exception {
    AtomicReference<Thread> thread = new AtomicReference<>();
    Loop loop =
        started(
            () -> {
              thread.set(Thread.currentThread());
              return LONG;
            });
    time.nextWait();
    assertThat(loop.isClosed()).isFalse();
    assertThat(loop.close(Duration.ofSeconds(30))).isTrue();
    assertThat(thread.get().isAlive()).isFalse();
    assertThat(loop.isClosed()).isTrue();
    assertThat(loop.close(Duration.ofSeconds(30))).isTrue();
    assertThat(steps).hasValue(1);
    assertThatThrownBy(loop::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("walk is closed");
  }

  @Test
  void aLoopThatWasNeverStartedCanBeClosed() {
    Loop loop = new Loop("walk", CEILING, () -> LONG, failures::add, time);
    assertThat(loop.close(Duration.ofSeconds(30))).isTrue();
  }

  @Test
  void closingItWaitsForTheStepUnderWayAndTakesNoOther() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    Loop loop =
        started(
            CEILING,
            () -> {
              entered.countDown();
              leave.await();
              return Duration.ZERO;
            },
            TimeSource.system());
    entered.await();
    Thread closer = Threads.daemon("closer").newThread(() -> loop.close(Duration.ofSeconds(30)));
    closer.start();
    while (!loop.isClosed()) {
      Thread.onSpinWait();
    }
    closer.join(20);
    assertThat(closer.isAlive()).isTrue();
    leave.countDown();
    closer.join();
    assertThat(steps).hasValue(1);
    assertThat(failures).as("not interrupted").isEmpty();
  }

  @Test
  void aStepThatOutlastsTheCloseIsInterrupted() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    Semaphore never = new Semaphore(0);
    Loop loop =
        started(
            CEILING,
            () -> {
              entered.countDown();
              never.acquire();
              return LONG;
            },
            TimeSource.system());
    entered.await();
    loop.close(Duration.ofMillis(1));
    awaitEnd(loop);
    assertThat(failures).singleElement().isInstanceOf(InterruptedException.class);
    assertThat(steps).hasValue(1);
  }

  @Test
  void aCloserWhoIsInterruptedHurriesTheStepAndStaysInterrupted() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    Semaphore never = new Semaphore(0);
    Loop loop =
        started(
            CEILING,
            () -> {
              entered.countDown();
              never.acquire();
              return LONG;
            },
            TimeSource.system());
    entered.await();
    Thread.currentThread().interrupt();
    loop.close(Duration.ofSeconds(30));
    assertThat(Thread.interrupted()).isTrue();
    awaitEnd(loop);
    assertThat(failures).singleElement().isInstanceOf(InterruptedException.class);
  }

  @Test
  void aStepCanCloseItsOwnLoop() throws Exception {
    AtomicReference<Loop> loop = new AtomicReference<>();
    BlockingQueue<Boolean> ended = new LinkedBlockingQueue<>();
    CountDownLatch set = new CountDownLatch(1);
    loop.set(
        started(
            () -> {
              set.await();
              ended.add(loop.get().close(Duration.ofDays(1)));
              return Duration.ZERO;
            }));
    set.countDown();
    assertThat(ended.poll(30, TimeUnit.SECONDS)).isFalse();
    awaitEnd(loop.get());
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

  private static void awaitEnd(Loop loop) {
    while (!loop.close(Duration.ZERO)) {
      Thread.onSpinWait();
    }
  }
}
