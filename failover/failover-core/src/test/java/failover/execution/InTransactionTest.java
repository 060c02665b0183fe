package failover.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverException.SourceTimeoutException;
import failover.FailoverResult;
import failover.FailoverSpec;
import failover.FailoverSpecBuilder;
import failover.Failovers;
import failover.FailoversBuilder;
import failover.store.FailoverStore;
import failover.store.GatedStore;
import failover.store.InMemoryFailoverStore;
import feign.FeignException;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.threads.Together;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Inside a transaction a call stays on the thread of its caller, and ends in time all the same. */
@Timeout(120)
class InTransactionTest {
  private static final Duration SHORT = Duration.ofMillis(100);
  private static final Duration ENOUGH = Duration.ofSeconds(60);
  private static final Duration FEW_SECONDS = Duration.ofSeconds(5);

  private final AtomicBoolean inTransaction = new AtomicBoolean();
  private final CountDownLatch never = new CountDownLatch(1);
  private final GatedStore far = GatedStore.hungReads();

  @AfterEach
  void release() {
    never.countDown();
    far.release();
  }

  private FailoversBuilder builder(FailoverStore store) {
    return Failovers.builder(store).insideTransaction(inTransaction::get);
  }

  private static FailoverSpecBuilder<String> spec(String name) {
    return FailoverSpec.builder(name, String.class).pause(Duration.ZERO, Duration.ZERO);
  }

  private String hung() throws InterruptedException {
    never.await();
    return "never";
  }

  private static Duration since(long began) {
    return Duration.ofNanos(System.nanoTime() - began);
  }

  @Test
  void theCallerIsInterruptedAtTheHardTimeoutAndNotLeftInterrupted() {
    inTransaction.set(true);
    FailoverSpec<String> hard = spec("hard").hardTimeout(SHORT).build();
    Thread caller = Thread.currentThread();
    try (Failovers failovers = builder(new InMemoryFailoverStore()).build()) {
      long began = System.nanoTime();
      assertThatThrownBy(
              () ->
                  failovers.call(
                      hard,
                      List.of(),
                      () -> {
                        assertThat(Thread.currentThread()).isSameAs(caller);
                        return hung();
                      }))
          .isInstanceOf(SourceTimeoutException.class)
          .satisfies(
              thrown ->
                  assertThat(thrown.getSuppressed())
                      .singleElement()
                      .isInstanceOf(InterruptedException.class));
      assertThat(since(began)).isLessThan(SHORT.plus(FEW_SECONDS));
      assertThat(caller.isInterrupted()).isFalse();
      assertThat(failovers.ledger().unaccounted()).isZero();
    }
  }

  @Test
  void theStoredAnswerIsGivenThen() throws Exception {
    far.release(); // it is far, but well
    FailoverSpec<String> hard = spec("hard").hardTimeout(Duration.ofSeconds(1)).build();
    for (FailoverStore store : List.of(new InMemoryFailoverStore(), far)) {
      // By a clock that stands each step has all the time there is, on any machine.
      try (Failovers failovers = builder(store).time(new SettableTime()).build()) {
        inTransaction.set(false);
        failovers.call(hard, List.of(), () -> "first");
        inTransaction.set(true);
        FailoverResult<String> result = failovers.callForResult(hard, List.of(), this::hung);
        assertThat(result.value()).isEqualTo("first");
        assertThat(result.cause().orElseThrow()).isInstanceOf(SourceTimeoutException.class);
      }
    }
  }

  @Test
  void aHungStoreHoldsNobodyBeyondTheTime() {
    inTransaction.set(true);
    FailoverSpec<String> hard = spec("hard").hardTimeout(SHORT).build();
    FailoverSpec<String> pausing =
        FailoverSpec.builder("pausing", String.class)
            .pauseAfter(0.01, 1, Duration.ofSeconds(10))
            .hardTimeout(SHORT)
            .build();
    IOException down = new IOException("down");
    try (Failovers failovers = builder(far).readTimeout(ENOUGH).build()) {
      long began = System.nanoTime();
      assertThatThrownBy(() -> failovers.call(hard, List.of(), this::hung))
          .isInstanceOf(SourceTimeoutException.class);
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(
                () ->
                    failovers.call(
                        pausing,
                        List.of(),
                        () -> {
                          throw down;
                        }))
            .isSameAs(down);
      }
      assertThat(since(began)).isLessThan(SHORT.multipliedBy(3).plus(FEW_SECONDS));
    }
  }

  @Test
  void aSourceThatAnswersAllTheSameIsLive() {
    inTransaction.set(true);
    FailoverSpec<String> hard = spec("hard").hardTimeout(SHORT).build();
    try (Failovers failovers = builder(new InMemoryFailoverStore()).build()) {
      FailoverResult<String> result =
          failovers.callForResult(
              hard,
              List.of(),
              () -> {
                Eventually.await("it is interrupted", Thread.currentThread()::isInterrupted);
                return "late";
              });
      assertThat(result.upToDate()).isTrue();
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
  }

  @Test
  void whatTheSourceSaysIsGoneThenIsRemoved() {
    FailoverSpec<String> hard = spec("hard").hardTimeout(SHORT).build();
    FeignException gone = new FeignException(404);
    try (Failovers failovers = builder(new InMemoryFailoverStore()).build()) {
      failovers.call(spec("plain").domain("hard").build(), List.of(), () -> "first");
      inTransaction.set(true);
      assertThatThrownBy(
              () ->
                  failovers.call(
                      hard,
                      List.of(),
                      () -> {
                        try {
                          return hung();
                        } catch (InterruptedException e) {
                          throw gone;
                        }
                      }))
          .isSameAs(gone);
      assertThat(failovers.stored().entries("hard", 1).get(0).isNull()).isTrue();
    }
  }

  @Test
  void anErrorIsNotTouchedAndAnInterruptOfSomebodyElseIsNoTimeout() {
    inTransaction.set(true);
    AssertionError error = new AssertionError("of the source");
    try (Failovers failovers = builder(new InMemoryFailoverStore()).build()) {
      assertThatThrownBy(
              () ->
                  failovers.call(
                      spec("hard").hardTimeout(SHORT).build(),
                      List.of(),
                      () -> {
                        try {
                          return hung();
                        } catch (InterruptedException e) {
                          throw error;
                        }
                      }))
          .isSameAs(error);
      Thread.currentThread().interrupt();
      assertThatThrownBy(
              () -> failovers.call(spec("long").hardTimeout(ENOUGH).build(), List.of(), this::hung))
          .isInstanceOf(InterruptedException.class);
      assertThat(Thread.interrupted()).as("the source has taken it").isFalse();
      Thread.currentThread().interrupt();
      failovers.call(spec("quick").hardTimeout(ENOUGH).build(), List.of(), () -> "live");
      assertThat(Thread.interrupted()).as("nobody has taken it").isTrue();
    }
  }

  @Test
  void nobodyIsInterruptedAfterACall() throws Exception {
    inTransaction.set(true);
    FailoverSpec<String> hard = spec("hard").hardTimeout(Duration.ofNanos(200_000)).build();
    try (Failovers failovers = builder(new InMemoryFailoverStore()).build()) {
      Together.runAll(
          4,
          () -> {
            for (int i = 0; i < 2_000; i++) {
              long until = System.nanoTime() + i % 40 * 10_000L; // some before, some after
              failovers.call(
                  hard,
                  List.of(),
                  () -> {
                    while (System.nanoTime() < until) {
                      Thread.onSpinWait();
                    }
                    return "live";
                  });
              assertThat(Thread.currentThread().isInterrupted()).isFalse();
            }
          });
      assertThat(failovers.counts().get("hard").live()).isEqualTo(8_000);
    }
  }

  @Test
  void theContextOfTheCallerGoesAlongToWhoReadsTheStoredAnswer() throws Exception {
    far.release();
    Queue<String> contexts = new ConcurrentLinkedQueue<>();
    FailoverSpec<String> hard = spec("hard").hardTimeout(SHORT).build();
    try (Failovers failovers =
        builder(far)
            .contextPropagator(
                task -> {
                  String caller = Thread.currentThread().getName();
                  return () -> {
                    contexts.add(caller);
                    task.run();
                  };
                })
            .build()) {
      inTransaction.set(true);
      assertThatThrownBy(() -> failovers.call(hard, List.of(), this::hung))
          .isInstanceOf(SourceTimeoutException.class);
      Eventually.await("it was read", () -> !contexts.isEmpty());
      assertThat(contexts).containsExactly(Thread.currentThread().getName());
    }
    IllegalStateException broken = new IllegalStateException("no context");
    try (Failovers failovers =
        builder(far)
            .contextPropagator(
                task -> {
                  throw broken;
                })
            .build()) {
      assertThatThrownBy(() -> failovers.call(hard, List.of(), this::hung)).isSameAs(broken);
    }
  }

  @Test
  void theTimeIsKeptAfterClosingToo() {
    inTransaction.set(true);
    Failovers failovers = builder(new InMemoryFailoverStore()).build();
    failovers.close();
    assertThatThrownBy(
            () -> failovers.call(spec("hard").hardTimeout(SHORT).build(), List.of(), this::hung))
        .isInstanceOf(SourceTimeoutException.class);
  }

  /** How long the slowest of so many callers waited. */
  private Duration slowest(int callers, Duration hardTimeout) throws Exception {
    inTransaction.set(true);
    FailoverSpec<String> hard = spec("hard").hardTimeout(hardTimeout).build();
    CyclicBarrier together = new CyclicBarrier(callers);
    Queue<Duration> took = new ConcurrentLinkedQueue<>();
    try (Failovers failovers = builder(far).build()) {
      Together.runAll(
          callers,
          () -> {
            List<String> key = List.of(Thread.currentThread().getName());
            together.await(100, TimeUnit.SECONDS);
            long began = System.nanoTime();
            assertThatThrownBy(() -> failovers.call(hard, key, this::hung))
                .isInstanceOf(SourceTimeoutException.class);
            took.add(since(began));
          });
    }
    return took.stream().max(Duration::compareTo).orElseThrow();
  }

  @Test
  void allOfManyCallersEndInTime() throws Exception {
    assertThat(slowest(500, SHORT)).isLessThan(SHORT.plus(FEW_SECONDS));
  }

  @Test
  @Tag("long")
  void onAnIdleMachineAllOfThemEndWithinFiftyMilliseconds() throws Exception {
    Duration hard = Duration.ofSeconds(2);
    assertThat(slowest(500, hard)).isLessThan(hard.plusMillis(50));
  }
}
