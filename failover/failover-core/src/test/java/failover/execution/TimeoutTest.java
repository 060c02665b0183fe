package failover.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverException.SourceBusyException;
import failover.FailoverException.SourceTimeoutException;
import failover.FailoverResult;
import failover.FailoverSpec;
import failover.FailoverSpecBuilder;
import failover.Failovers;
import failover.store.InMemoryFailoverStore;
import feign.FeignException;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TimeoutTest {
  private static final Duration SHORT = Duration.ofMillis(20);
  private static final Duration ENOUGH = Duration.ofSeconds(40);

  private final AtomicReference<String> context = new AtomicReference<>();
  private final AtomicBoolean inTransaction = new AtomicBoolean();
  private final InMemoryFailoverStore store = new InMemoryFailoverStore();
  private final Failovers failovers =
      Failovers.builder(store)
          .insideTransaction(inTransaction::get)
          .contextPropagator(
              task -> {
                String caller = Thread.currentThread().getName();
                return () -> {
                  context.set(caller);
                  task.run();
                };
              })
          .build();
  private final CountDownLatch released = new CountDownLatch(1);

  @AfterEach
  void close() {
    released.countDown();
    failovers.close();
  }

  private static FailoverSpecBuilder<String> spec(String name) {
    return FailoverSpec.builder(name, String.class).pause(Duration.ZERO, Duration.ZERO);
  }

  private String blocked(String answer) throws InterruptedException {
    released.await();
    return answer;
  }

  @Test
  void aSlowSourceIsOvertakenByTheStoredAnswerAndFinishesBehind() throws Exception {
    FailoverSpec<String> soft = spec("soft").softTimeout(SHORT).build();
    failovers.call(soft, List.of(), () -> "first");
    FailoverResult<String> result =
        failovers.callForResult(soft, List.of(), () -> blocked("second"));
    assertThat(result.value()).isEqualTo("first");
    assertThat(result.upToDate()).isFalse();
    assertThat(result.cause().orElseThrow()).isInstanceOf(SourceTimeoutException.class);
    assertThat(context).hasValue(Thread.currentThread().getName());
    assertThat(failovers.counts().get("soft").slow()).isEqualTo(1);
    released.countDown();
    Eventually.await(
        "the late answer is stored", () -> failovers.counts().get("soft").stored() == 2);
    assertThat(failovers.ledger().accepted()).isEqualTo(2);
    assertThat(failovers.ledger().unaccounted()).isZero();
  }

  @Test
  void aCallThatFailsAfterItsCallerHasLeftIsLogged() throws Exception {
    FailoverSpec<String> soft = spec("soft").softTimeout(SHORT).build();
    failovers.call(soft, List.of(), () -> "first");
    try (CapturedLog log = new CapturedLog("failover")) {
      failovers.call(
          soft,
          List.of(),
          () -> {
            throw new IOException(blocked("late"));
          });
      released.countDown();
      Eventually.await(
          "it is logged",
          () ->
              log.messages(Level.WARNING).stream()
                  .anyMatch(it -> it.contains("call left behind has failed name=soft")));
    }
  }

  @Test
  void withoutAStoredAnswerASlowSourceIsWaitedFor() throws Exception {
    FailoverSpec<String> soft = spec("soft").softTimeout(SHORT).build();
    String answer =
        failovers.call(
            soft,
            List.of(),
            () -> {
              Eventually.await("the soft timeout has passed", () -> passed(SHORT.multipliedBy(3)));
              return "late";
            });
    assertThat(answer).isEqualTo("late");
    assertThat(failovers.counts().get("soft").live()).isEqualTo(1);
  }

  private final long startedAt = System.nanoTime();

  private boolean passed(Duration time) {
    return System.nanoTime() - startedAt > time.toNanos();
  }

  @Test
  void theHardTimeoutInterruptsTheSource() {
    FailoverSpec<String> hard = spec("hard").hardTimeout(SHORT).build();
    CountDownLatch interrupted = new CountDownLatch(1);
    assertThatThrownBy(
            () ->
                failovers.call(
                    hard,
                    List.of(),
                    () -> {
                      try {
                        return blocked("never");
                      } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                      }
                    }))
        .isInstanceOf(SourceTimeoutException.class)
        .hasMessageContaining("PT0.02S");
    Eventually.await("the source is interrupted", () -> interrupted.getCount() == 0);
    assertThat(failovers.ledger().unaccounted()).isZero();
  }

  @Test
  void aCallForWhichNoThreadIsFreeIsRecoveredOrSaysSo() throws Exception {
    try (Failovers one = Failovers.builder(store).timedCalls(1).build()) {
      FailoverSpec<String> soft = spec("soft").softTimeout(SHORT).build();
      FailoverSpec<String> hard = spec("hard").hardTimeout(Duration.ofSeconds(1)).build();
      one.call(soft, List.of(), () -> "first");
      one.call(hard, List.of("stored"), () -> "second");
      CountDownLatch begun = new CountDownLatch(1);
      Eventually.await(
          "a call has the only thread from now on",
          () -> {
            one.call(
                soft,
                List.of(),
                () -> {
                  begun.countDown();
                  return blocked("late");
                });
            return begun.getCount() == 0;
          });
      assertThat(one.call(hard, List.of("stored"), () -> "not asked")).isEqualTo("second");
      assertThatThrownBy(() -> one.call(hard, List.of("unknown"), () -> "not asked"))
          .isInstanceOf(SourceBusyException.class);
      assertThat(one.ledger().lostByReason()).containsEntry("no_thread", 1L);
      released.countDown();
    }
  }

  @Test
  void theVeryThrowableComesFromTheOtherThread() {
    FailoverSpec<String> hard = spec("hard").softTimeout(SHORT).hardTimeout(ENOUGH).build();
    IOException down = new IOException("down");
    assertThatThrownBy(
            () ->
                failovers.call(
                    hard,
                    List.of(),
                    () -> {
                      throw down;
                    }))
        .isSameAs(down);
  }

  @Test
  void insideATransactionTheCallStaysOnItsThread() throws Exception {
    FailoverSpec<String> soft = spec("soft").softTimeout(SHORT).build();
    inTransaction.set(true);
    Thread caller = Thread.currentThread();
    failovers.call(
        soft,
        List.of(),
        () -> {
          assertThat(Thread.currentThread()).isSameAs(caller);
          return "a";
        });
    assertThat(context.get()).isNull();
  }

  @Test
  void aCallThatWasLeftIsInterruptedAtItsHardTimeout() {
    FailoverSpec<String> both =
        spec("both").softTimeout(SHORT).hardTimeout(SHORT.multipliedBy(5)).build();
    CountDownLatch interrupted = new CountDownLatch(1);
    inTransaction.set(true); // so that it takes as long as it likes
    failovers.call(both, List.of(), () -> "first");
    inTransaction.set(false);
    assertThat(failovers.call(both, List.of(), () -> untilInterrupted(interrupted)))
        .isIn("first", "interrupted");
    Eventually.await("the source is interrupted", () -> interrupted.getCount() == 0);
  }

  @Test
  void whatTheSourceSaysIsGoneAfterTheHardTimeoutIsRemovedAllTheSame() throws Exception {
    FailoverSpec<String> plain = spec("plain").domain("gone").build();
    FailoverSpec<String> hard =
        spec("hard")
            .domain("gone")
            .hardTimeout(SHORT)
            .removesOn(List.of(NoSuchElementException.class))
            .build();
    for (Exception gone :
        List.of(
            new FeignException(404), new FeignException(410), new NoSuchElementException("sku"))) {
      CountDownLatch late = new CountDownLatch(1);
      failovers.call(plain, List.of(), () -> "first");
      FailoverResult<String> result =
          failovers.callForResult(
              hard,
              List.of(),
              () -> {
                Uninterruptibly.await(late);
                throw gone;
              });
      assertThat(result.value()).isEqualTo("first");
      late.countDown();
      Eventually.await(
          "it is removed", () -> failovers.stored().entries("gone", 1).get(0).isNull());
      IOException down = new IOException("down");
      assertThatThrownBy(() -> failovers.call(plain, List.of(), () -> failing(down)))
          .isSameAs(down);
    }
  }

  @Test
  void anotherFailureAfterTheHardTimeoutLeavesTheStoredAnswer() throws Exception {
    FailoverSpec<String> hard = spec("hard").hardTimeout(ENOUGH).build();
    FailoverSpec<String> impatient = spec("impatient").domain("hard").hardTimeout(SHORT).build();
    failovers.call(hard, List.of(), () -> "first");
    CountDownLatch late = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    failovers.call(
        impatient,
        List.of(),
        () -> {
          Uninterruptibly.await(late);
          ended.countDown();
          throw new FeignException(503);
        });
    late.countDown();
    assertThat(ended.await(40, TimeUnit.SECONDS)).isTrue();
    failovers.close(ENOUGH); // waits for the call
    assertThat(failovers.stored().entries("hard", 1).get(0).isNull()).isFalse();
  }

  private static String failing(Exception failure) throws Exception {
    throw failure;
  }

  private String untilInterrupted(CountDownLatch interrupted) {
    try {
      return blocked("never");
    } catch (InterruptedException e) {
      interrupted.countDown();
      return "interrupted";
    }
  }

  @Test
  void whatFailsOnTheWayToTheOtherThreadEndsTheCall() {
    IllegalStateException broken = new IllegalStateException("no context");
    try (Failovers carried =
        Failovers.builder(store)
            .contextPropagator(
                task ->
                    () -> {
                      throw broken;
                    })
            .build()) {
      FailoverSpec<String> hard = spec("hard").hardTimeout(ENOUGH).build();
      assertThatThrownBy(() -> carried.call(hard, List.of(), () -> "a")).isSameAs(broken);
    }
  }

  @Test
  void anInterruptOfTheCallerReachesTheSource() {
    FailoverSpec<String> hard = spec("hard").hardTimeout(ENOUGH).build();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> failovers.call(hard, List.of(), () -> blocked("never")))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
