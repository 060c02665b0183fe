package failover.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverException.SourceBusyException;
import failover.FailoverException.SourcePausedException;
import failover.FailoverException.SourceTimeoutException;
import failover.FailoverResult;
import failover.FailoverSpec;
import failover.FailoverSpecBuilder;
import failover.Failovers;
import failover.FailoversBuilder;
import failover.store.GatedStore;
import failover.store.InMemoryFailoverStore;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.threads.Together;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls end within their time, whatever hangs. */
@Timeout(120)
class DeadlineTest {
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration ENOUGH = Duration.ofSeconds(60);
  private static final Duration ON_A_BUSY_MACHINE = Duration.ofSeconds(2);
  private static final int CALLERS = 500;

  /** How many of the threads one point uses whose source hangs. */
  private static final int SHARE = FailoversBuilder.DEFAULT_TIMED_CALLS / 4 * 3;

  private final GatedStore hungStore = GatedStore.hungReads();
  private final GatedStore unwritable = GatedStore.hungWrites();
  private final CountDownLatch released = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();

  @AfterEach
  void release() {
    released.countDown();
    hungStore.release();
    unwritable.release();
  }

  private static FailoverSpecBuilder<String> spec(String name) {
    return FailoverSpec.builder(name, String.class).pause(Duration.ZERO, Duration.ZERO);
  }

  private String hung() {
    asked.incrementAndGet();
    Uninterruptibly.await(released);
    return "late";
  }

  private static String down() throws IOException {
    throw new IOException("down");
  }

  /** How long the slowest of many callers of a hung source waited. */
  private Duration slowest(int callers, Failovers failovers, FailoverSpec<String> spec)
      throws Exception {
    return SlowestCaller.of(
        callers,
        failovers,
        key ->
            assertThatThrownBy(() -> failovers.call(spec, key, this::hung))
                .isInstanceOfAny(SourceTimeoutException.class, SourceBusyException.class));
  }

  @Test
  void everyCallerOfAHungSourceLeavesInTimeAndWhatWaitedIsNeverRun() throws Exception {
    try (Failovers failovers = Failovers.builder(new InMemoryFailoverStore()).build()) {
      FailoverSpec<String> hard = spec("hard").hardTimeout(SHORT).build();
      assertThat(slowest(CALLERS, failovers, hard)).isLessThan(SHORT.plus(ON_A_BUSY_MACHINE));
      assertThat(asked.get()).isLessThanOrEqualTo(SHARE);
      assertThat(failovers.ledger().lostByReason().get("no_thread")).isPositive();
      Eventually.await("all that have a thread have asked", () -> asked.get() == SHARE);
      released.countDown();
      FailoverSpec<String> other = spec("other").hardTimeout(ENOUGH).build();
      assertThat(failovers.call(other, List.of(), () -> "live"))
          .as("on a thread")
          .isEqualTo("live");
      assertThat(asked).hasValue(SHARE);
    }
  }

  @Test
  void everyCallerOfAHungStoreLeavesInTimeWithItsOwnFailure() throws Exception {
    try (Failovers failovers =
        Failovers.builder(hungStore).closeTimeout(Duration.ofMillis(10)).build()) {
      FailoverSpec<String> hard = spec("hard").hardTimeout(SHORT).build();
      assertThat(slowest(CALLERS, failovers, hard)).isLessThan(SHORT.plus(ON_A_BUSY_MACHINE));
      assertThat(hungStore.reading.get()).isLessThanOrEqualTo(StoreReads.THREADS);
      FailoverSpec<String> other = spec("other").hardTimeout(ENOUGH).build();
      assertThatThrownBy(() -> failovers.call(other, List.of("down"), DeadlineTest::down))
          .isInstanceOf(IOException.class);
      assertThat(failovers.ledger().lostByReason()).containsEntry("nothing_stored", 0L);
    }
  }

  /** Both are often the same database. */
  @Test
  void inAPauseWithAHungStoreCallersLeaveInTimeAndFewAskTheSource() throws Exception {
    FailoverSpec<String> hard = spec("hard").pause(ENOUGH, ENOUGH).hardTimeout(SHORT).build();
    AtomicBoolean inTransaction = new AtomicBoolean(true); // no thread has to start in time
    try (Failovers failovers =
        Failovers.builder(hungStore)
            .readTimeout(ENOUGH)
            .insideTransaction(inTransaction::get)
            .build()) {
      for (int key = -3; key < 0; key++) {
        List<Integer> args = List.of(key);
        assertThatThrownBy(() -> failovers.call(hard, args, DeadlineTest::down))
            .isInstanceOf(IOException.class);
      }
      inTransaction.set(false);
      AtomicInteger next = new AtomicInteger();
      long began = System.nanoTime();
      Together.runAll(
          40,
          () ->
              assertThatThrownBy(
                      () -> failovers.call(hard, List.of(next.getAndIncrement()), this::hung))
                  .isInstanceOfAny(
                      SourcePausedException.class,
                      SourceTimeoutException.class,
                      SourceBusyException.class));
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
      // Those that ask go on when their callers have left, and are still as many as may ask.
      assertThat(asked.get()).isLessThanOrEqualTo(Pause.DIRECT_CALLS);
      released.countDown();
    }
  }

  @Test
  void aSourceThatWasAskedLateBecauseThreadsWereBusyHasNotFailed() throws Exception {
    Duration second = Duration.ofSeconds(1);
    FailoverSpec<String> busy = spec("busy").pause(ENOUGH, ENOUGH).hardTimeout(second).build();
    try (Failovers failovers =
        Failovers.builder(new InMemoryFailoverStore()).timedCalls(1).build()) {
      for (int i = 0; i < 4; i++) {
        List<Integer> args = List.of(i);
        CountDownLatch hasTheThread = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Thread other =
            new Thread(
                () ->
                    failovers.call(
                        spec("other").hardTimeout(ENOUGH).build(),
                        List.of(),
                        () -> {
                          hasTheThread.countDown();
                          Uninterruptibly.await(goOn);
                          return "live";
                        }));
        other.start();
        assertThat(hasTheThread.await(60, TimeUnit.SECONDS)).isTrue();
        Thread caller = Thread.currentThread();
        Thread releasing =
            new Thread(
                () -> {
                  Eventually.await(
                      "the caller waits", () -> caller.getState() == Thread.State.TIMED_WAITING);
                  long began = System.nanoTime();
                  Eventually.await(
                      "a quarter of the time is over",
                      () -> System.nanoTime() - began > second.toNanos() / 4);
                  goOn.countDown();
                });
        releasing.start();
        assertThatThrownBy(() -> failovers.call(busy, args, this::interruptible))
            .isInstanceOf(SourceBusyException.class);
        releasing.join();
        other.join();
      }
      assertThat(failovers.call(busy, List.of("well"), () -> "live"))
          .as("there is no pause")
          .isEqualTo("live");
      assertThat(failovers.counts().get("busy").paused()).isZero();
    }
  }

  private String interruptible() throws InterruptedException {
    released.await();
    return "late";
  }

  @Test
  void aCallWhoseThreadStartsSlowlyTimesOutAsAnyOther() {
    FailoverSpec<String> hard = spec("hard").hardTimeout(SHORT).build();
    try (Failovers failovers =
        Failovers.builder(new InMemoryFailoverStore())
            .contextPropagator(DeadlineTest::startedLate)
            .build()) {
      assertThatThrownBy(() -> failovers.call(hard, List.of(), this::interruptible))
          .isInstanceOf(SourceTimeoutException.class);
    }
  }

  private static Runnable startedLate(Runnable call) {
    long began = System.nanoTime();
    return () -> {
      Eventually.await(
          "half of the time is over", () -> System.nanoTime() - began > SHORT.toNanos() / 2);
      call.run();
    };
  }

  @Test
  void aCallWithoutATimeoutWaitsForAHungStoreNoLongerThanTheTimeForReading() {
    FailoverSpec<String> plain = spec("plain").build();
    try (Failovers failovers = Failovers.builder(hungStore).readTimeout(SHORT).build()) {
      failovers.call(plain, List.of(), () -> "first");
      assertThatThrownBy(() -> failovers.call(plain, List.of(), DeadlineTest::down))
          .isInstanceOf(IOException.class)
          .hasMessage("down");
      assertThat(failovers.ledger().lostByReason()).containsEntry("store_failed", 1L);
    }
  }

  @Test
  void withAHungStoreASlowSourceIsWaitedForAfterTheSoftTimeout() {
    FailoverSpec<String> both =
        spec("both").softTimeout(Duration.ofMillis(10)).hardTimeout(ENOUGH).build();
    try (Failovers failovers = Failovers.builder(hungStore).build()) {
      failovers.call(both, List.of(), () -> "first");
      FailoverResult<String> result =
          failovers.callForResult(
              both,
              List.of(),
              () -> {
                Eventually.await("the store is read", () -> hungStore.reading.get() > 0);
                return "second";
              });
      assertThat(result.upToDate()).isTrue();
      assertThat(result.value()).isEqualTo("second");
    }
  }

  @Test
  void aStoredAnswerOfAFarStoreIsGivenWhenTheHardTimeoutIsOver() {
    FailoverSpec<String> hard = spec("hard").hardTimeout(Duration.ofSeconds(2)).build();
    hungStore.release();
    unwritable.release(); // far, but well
    try (Failovers failovers =
        Failovers.builder(hungStore).time(new SettableTime()).build()) { // no time is lost
      failovers.call(hard, List.of(), () -> "first");
      FailoverResult<String> result = failovers.callForResult(hard, List.of(), this::hung);
      assertThat(result.value()).isEqualTo("first");
      assertThat(result.cause().orElseThrow()).isInstanceOf(SourceTimeoutException.class);
      released.countDown();
    }
  }

  @Test
  void callersOfAHealthySourceWaitForAThreadAndNoneIsRefused() throws Exception {
    try (Failovers failovers =
        Failovers.builder(new InMemoryFailoverStore()).timedCalls(16).build()) {
      FailoverSpec<String> both =
          spec("both").softTimeout(Duration.ofSeconds(30)).hardTimeout(ENOUGH).build();
      CountDownLatch all = new CountDownLatch(12); // as many as one point may use of 16
      CyclicBarrier together = new CyclicBarrier(300);
      Together.runAll(
          300,
          () -> {
            together.await(100, TimeUnit.SECONDS);
            FailoverResult<String> result =
                failovers.callForResult(
                    both,
                    List.of(Thread.currentThread().getName()),
                    () -> {
                      all.countDown();
                      assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
                      return "live";
                    });
            assertThat(result.upToDate()).isTrue();
          });
      assertThat(failovers.counts().get("both").live()).isEqualTo(300);
    }
  }

  @Test
  void aPointWhoseSourceHangsLeavesThreadsToOthers() throws Exception {
    try (Failovers failovers =
        Failovers.builder(new InMemoryFailoverStore()).timedCalls(8).build()) {
      FailoverSpec<String> hanging = spec("hanging").hardTimeout(SHORT).build();
      FailoverSpec<String> alsoHanging = spec("also").hardTimeout(SHORT).build();
      slowestOf(failovers, hanging);
      slowestOf(failovers, alsoHanging);
      FailoverSpec<String> well = spec("well").hardTimeout(ENOUGH).build();
      assertThat(failovers.call(well, List.of(), () -> "live")).isEqualTo("live");
      released.countDown();
    }
  }

  private void slowestOf(Failovers failovers, FailoverSpec<String> spec) throws Exception {
    Together.runAll(
        20,
        () ->
            assertThatThrownBy(() -> failovers.call(spec, List.of(), this::hung))
                .isInstanceOfAny(SourceTimeoutException.class, SourceBusyException.class));
  }

  @Test
  void aCallThatGetsNoThreadIsGivenTheStoredAnswer() throws Exception {
    try (Failovers failovers =
        Failovers.builder(new InMemoryFailoverStore()).timedCalls(1).build()) {
      FailoverSpec<String> soft = spec("soft").softTimeout(Duration.ofMillis(20)).build();
      failovers.call(soft, List.of(), () -> "first");
      Eventually.await(
          "a call has the only thread from now on",
          () -> {
            failovers.call(soft, List.of(), this::hung);
            return asked.get() == 1;
          });
      assertThat(failovers.call(soft, List.of(), this::hung)).isEqualTo("first");
      assertThat(asked).hasValue(1);
      FailoverSpec<String> hard = spec("hard").hardTimeout(Duration.ofMillis(20)).build();
      assertThatThrownBy(() -> failovers.call(hard, List.of(), this::hung))
          .isInstanceOf(SourceBusyException.class)
          .hasMessageContaining("one of the 1 threads");
      assertThat(failovers.ledger().lostByReason()).containsEntry("no_thread", 1L);
      released.countDown();
    }
  }

  @Test
  void aCallWaitsForAWriteThatHangsNoLongerThanTheTimeForTheStore() {
    try (Failovers failovers = Failovers.builder(unwritable).readTimeout(SHORT).build()) {
      FailoverSpec<String> spec = spec("plain").build();
      assertThat(failovers.call(spec, List.of(), () -> "live")).isEqualTo("live");
      assertThat(failovers.counts().get("plain").storeFailures()).isEqualTo(1);
    }
  }

  @Test
  void aCallWithATimeoutDoesNotWaitForAWriteBeyondIt() throws Exception {
    try (Failovers failovers = Failovers.builder(unwritable).readTimeout(ENOUGH).build()) {
      FailoverSpec<String> spec = spec("hard").hardTimeout(Duration.ofSeconds(1)).build();
      long began = System.nanoTime();
      Together.runAll(
          StoreReads.THREADS + 10,
          () -> {
            try {
              failovers.call(spec, List.of(), () -> "live");
            } catch (SourceTimeoutException | SourceBusyException e) {
              assertThat(e).as("on a busy machine").isNotNull();
            }
          });
      assertThat(System.nanoTime() - began).isLessThan(Duration.ofSeconds(40).toNanos());
      assertThat(unwritable.attempts.get()).isPositive();
      assertThat(unwritable.attempts.get()).isLessThan(StoreReads.THREADS);
    }
  }

  @Test
  void anInterruptOfTheCallerDoesNotKeepTheAnswerFromBeingWritten() {
    unwritable.release();
    try (Failovers failovers = Failovers.builder(unwritable).readTimeout(ENOUGH).build()) {
      FailoverSpec<String> spec = spec("interrupted").build();
      Thread.currentThread().interrupt();
      failovers.call(spec, List.of(), () -> "live");
      assertThat(Thread.interrupted()).isTrue();
      assertThat(failovers.counts().get("interrupted").stored()).isEqualTo(1);
    }
  }
}
