package failover;

import static org.assertj.core.api.Assertions.assertThat;

import failover.execution.BasicFailoverExecution;
import failover.execution.Ended;
import failover.execution.FailoverExecution;
import failover.key.StoreKey;
import failover.store.FailoverStore;
import failover.store.InMemoryFailoverStore;
import failover.store.ReferentialPayload;
import holdfast.lifecycle.CloseReport;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.threads.Together;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How the door is closed while calls and writes are under way. */
@Timeout(60)
class CloseTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  private final InMemoryFailoverStore store = new InMemoryFailoverStore();
  private final Failovers failovers = Failovers.builder(store).build();
  private final FailoverSpec<String> soft =
      FailoverSpec.builder("soft", String.class).softTimeout(Duration.ofMillis(1)).build();
  private final FailoverSpec<String> hard =
      FailoverSpec.builder("hard", String.class).hardTimeout(LONG).build();
  private final CountDownLatch released = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);

  @AfterEach
  void release() {
    released.countDown();
  }

  private String blocked() {
    try {
      released.await();
      return "late";
    } catch (InterruptedException e) {
      interrupted.countDown();
      return "interrupted";
    }
  }

  private void leaveACallBehind() {
    failovers.call(soft, List.of(), () -> "first");
    assertThat(failovers.call(soft, List.of(), this::blocked)).isEqualTo("first");
  }

  /** Calls limited in time stay on the threads of callers from then on. */
  private void awaitClosing() {
    String caller = Thread.currentThread().getName();
    Eventually.await(
        "closing has begun",
        () ->
            caller.equals(failovers.call(hard, List.of(), () -> Thread.currentThread().getName())));
  }

  @Test
  void aCallLeftBehindMayEnd() throws InterruptedException {
    leaveACallBehind();
    Thread closing = new Thread(() -> failovers.close(LONG));
    closing.start();
    awaitClosing();
    assertThat(interrupted.getCount()).isEqualTo(1);
    released.countDown();
    closing.join();
    assertThat(interrupted.getCount()).isEqualTo(1);
    assertThat(store.findAll("soft").get(0).payload().value()).contains("late");
  }

  @Test
  void whoClosesItMeanwhileWaitsForTheFirstAndGetsTheSameReport() throws Exception {
    leaveACallBehind();
    assertThat(Together.callBoth(() -> failovers.close(LONG), released::countDown))
        .containsOnly(CloseReport.CLEAN);
    assertThat(store.findAll("soft").get(0).payload().value()).contains("late");
  }

  @Test
  void aCallThatTakesLongerIsInterrupted() {
    leaveACallBehind();
    failovers.close(Duration.ofMillis(10));
    Eventually.await("it is interrupted", () -> interrupted.getCount() == 0);
  }

  /** Takes a while to close, by a clock that a test moves. */
  private static final class SlowToClose implements FailoverExecution {
    private final FailoverExecution calls;
    private final SettableTime time;
    private final AtomicReference<Duration> given;

    SlowToClose(FailoverExecution calls, SettableTime time, AtomicReference<Duration> given) {
      this.calls = calls;
      this.time = time;
      this.given = given;
    }

    @Override
    public <T> Ended<T> execute(FailoverCall<T> call, Source<T, ?> source) {
      return calls.execute(call, source);
    }

    @Override
    public <T> CompletionStage<T> executeLater(
        FailoverCall<T> call, Source<CompletionStage<T>, ?> source, Consumer<Ended<T>> whenEnded) {
      return calls.executeLater(call, source, whenEnded);
    }

    @Override
    public void close(Duration timeout) {
      given.set(timeout);
      time.advance(Duration.ofSeconds(6));
    }
  }

  @Test
  void whatOneStageTakesTheOthersDoNotHave() {
    SettableTime time = new SettableTime();
    AtomicReference<Duration> calls = new AtomicReference<>();
    AtomicReference<Duration> writes = new AtomicReference<>();
    Failovers slow =
        Failovers.builder(new ClosedStore(writes))
            .time(time)
            .execution(parts -> new SlowToClose(new BasicFailoverExecution(parts), time, calls))
            .build();
    slow.close(Duration.ofSeconds(10));
    assertThat(calls.get()).isEqualTo(Duration.ofSeconds(9)); // a tenth is kept for the writes
    assertThat(writes.get()).isEqualTo(Duration.ofSeconds(4));
  }

  /** Notes how long it may take to close. */
  private record ClosedStore(AtomicReference<Duration> given) implements FailoverStore {
    @Override
    public void store(ReferentialPayload answer) {}

    @Override
    public void delete(StoreKey key) {}

    @Override
    public Optional<ReferentialPayload> find(StoreKey key) {
      return Optional.empty();
    }

    @Override
    public List<ReferentialPayload> findAll(String name) {
      return List.of();
    }

    @Override
    public long cleanByExpiry(Instant cutoff) {
      return 0;
    }

    @Override
    public int close(Duration timeout) {
      given.set(timeout);
      return 0;
    }
  }
}
