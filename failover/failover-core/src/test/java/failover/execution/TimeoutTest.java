package failover.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverResult;
import failover.FailoverSpec;
import failover.FailoverSpecBuilder;
import failover.Failovers;
import failover.Source;
import failover.SourceTimeoutException;
import failover.store.InMemoryFailoverStore;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
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
        "the late answer is stored",
        () -> store.findAll("soft").get(0).payload().value().orElseThrow().equals("second"));
    assertThat(failovers.ledger().accepted()).isEqualTo(2);
    assertThat(failovers.ledger().unaccounted()).isZero();
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
    failovers.call(both, List.of(), () -> "first");
    assertThat(failovers.call(both, List.of(), () -> untilInterrupted(interrupted)))
        .isEqualTo("first");
    Eventually.await("the source is interrupted", () -> interrupted.getCount() == 0);
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
  void whenNoThreadIsFreeTheCallStaysOnItsThread() throws Exception {
    FailoverSpec<String> soft = spec("soft").softTimeout(SHORT).build();
    try (Failovers narrow =
        Failovers.builder(store).timedCalls(1).insideTransaction(inTransaction::get).build()) {
      inTransaction.set(true); // so that the only thread is not made yet
      narrow.call(soft, List.of(), () -> "first");
      inTransaction.set(false);
      narrow.call(soft, List.of(), () -> blocked("second")); // takes the only thread
      Thread caller = Thread.currentThread();
      AtomicReference<Thread> used = new AtomicReference<>();
      Source<String, RuntimeException> third =
          () -> {
            used.set(Thread.currentThread());
            return "third";
          };
      assertThat(narrow.call(soft, List.of(), third)).isEqualTo("first"); // there is one to give
      assertThat(used).hasValue(null);
      assertThat(narrow.call(soft, List.of("other"), third)).isEqualTo("third");
      assertThat(used).hasValue(caller);
      released.countDown(); // closing would wait for it
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
