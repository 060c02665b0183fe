package failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverException.SourceTimeoutException;
import failover.execution.BasicFailoverExecution;
import failover.execution.FailoverExecution;
import failover.execution.FailoverExecution.CallEnd;
import failover.key.StoreKey;
import failover.store.FailoverStore;
import failover.store.FailoverStore.StoredEntry;
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

/** Closing while calls and writes are under way. */
@Timeout(60)
class CloseTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  private final InMemoryFailoverStore store = new InMemoryFailoverStore();
  private final Failovers failovers = Failovers.builder(store).build();
  private final FailoverSpec<String> soft =
      FailoverSpec.builder("soft", String.class).softTimeout(Duration.ofMillis(1)).build();
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

  private String interruptible() throws InterruptedException {
    released.await();
    return "late";
  }

  private void leaveACallBehind() {
    failovers.call(soft, List.of(), () -> "first");
    assertThat(failovers.call(soft, List.of(), this::blocked)).isEqualTo("first");
  }

  private ReferentialPayload stored() {
    return store.find(store.entries("soft", 1).get(0).key()).orElseThrow();
  }

  @Test
  void aCallLeftBehindMayEnd() throws InterruptedException {
    leaveACallBehind();
    Thread closing = new Thread(() -> failovers.close(LONG));
    closing.start();
    Eventually.await(
        "closing waits for the call", () -> closing.getState() == Thread.State.TIMED_WAITING);
    assertThat(interrupted.getCount()).isEqualTo(1);
    released.countDown();
    closing.join();
    assertThat(interrupted.getCount()).isEqualTo(1);
    assertThat(stored().payload().value()).contains("late");
  }

  @Test
  void whoClosesItMeanwhileWaitsForTheFirstAndGetsTheSameReport() throws Exception {
    leaveACallBehind();
    assertThat(Together.callBoth(() -> failovers.close(LONG), released::countDown))
        .containsOnly(CloseReport.CLEAN);
    assertThat(stored().payload().value()).contains("late");
  }

  @Test
  void aCallThatTakesLongerIsInterrupted() {
    leaveACallBehind();
    failovers.close(Duration.ofMillis(10));
    Eventually.await("it is interrupted", () -> interrupted.getCount() == 0);
  }

  @Test
  void aCallThatIgnoresTheInterruptIsReportedAsStillRunning() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    failovers.call(soft, List.of(), () -> "first");
    failovers.call(
        soft,
        List.of(),
        () -> {
          while (end.getCount() > 0) {
            try {
              end.await();
            } catch (InterruptedException e) {
              told.countDown();
            }
          }
          return "late";
        });
    try {
      assertThat(failovers.close(Duration.ofMillis(10))).isEqualTo(new CloseReport(0, 1, 0));
      told.await();
    } finally {
      end.countDown();
    }
  }

  @Test
  void afterClosingCallsGoOnWithinTheirTime() {
    failovers.close(Duration.ofMillis(10));
    FailoverSpec<String> hard =
        FailoverSpec.builder("hard", String.class).hardTimeout(Duration.ofMillis(20)).build();
    assertThatThrownBy(() -> failovers.call(hard, List.of(), this::interruptible))
        .isInstanceOf(SourceTimeoutException.class);
    assertThat(failovers.call(soft, List.of(), () -> "live")).isEqualTo("live");
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
    public <T> CallEnd<T> execute(FailoverCall<T> call, Source<T, ?> source) {
      return calls.execute(call, source);
    }

    @Override
    public <T> CompletionStage<T> executeLater(
        FailoverCall<T> call,
        Source<CompletionStage<T>, ?> source,
        Consumer<CallEnd<T>> whenEnded) {
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
    public List<StoredEntry> entries(String name, int limit) {
      return List.of();
    }

    @Override
    public int deleteAll(String name) {
      return 0;
    }

    @Override
    public int expireAll(String name, Instant now) {
      return 0;
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
