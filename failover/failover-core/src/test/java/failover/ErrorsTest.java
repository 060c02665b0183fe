package failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Prices.Price;
import failover.execution.FailoverExecution;
import failover.observe.FailoverLifecycleListener;
import failover.observe.ObservablePublisher;
import failover.observe.ObservablePublisher.Metrics;
import failover.recovery.RecoveredPayloadHandler;
import failover.store.AsyncFailoverStore;
import failover.store.FailoverStore;
import failover.store.FailoverStore.StoreListener;
import failover.store.IdStore;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Errors of what stands beside a call: they are no reason to lose its answer. */
@Timeout(60)
class ErrorsTest extends PricesFixture {
  private static final Error GONE = new NoClassDefFoundError("gone");

  /** Whatever it is told or asked, it throws an error. */
  @SuppressWarnings("unchecked")
  private static <T> T broken(Class<T> type, Error error) {
    return (T)
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) -> {
              if (method.getDeclaringClass() == Object.class || method.getName().equals("close")) {
                return method.getReturnType() == int.class ? 0 : null;
              }
              if (method.getName().equals("listener")) {
                return null;
              }
              throw error;
            });
  }

  private void assertAnswers(Failovers failovers) throws Throwable {
    assertThat(ask(failovers, spec, "a")).isEqualTo(new Price("a", 100));
    CompletableFuture<Price> source = new CompletableFuture<>();
    CompletableFuture<Price> later = failovers.callLater(spec, List.of("b"), () -> source);
    source.complete(new Price("b", 1));
    assertThat(later).isCompletedWithValue(new Price("b", 1));
    assertLedger(failovers, 2, 2);
    prices.failure = new IOException("down");
    CompletableFuture<Price> failed =
        failovers.callLater(spec, List.of("c"), () -> CompletableFuture.failedFuture(down()));
    assertThatThrownBy(failed::get).cause().isSameAs(down());
    assertThatThrownBy(() -> ask(failovers, spec, "c")).isSameAs(down());
    assertLedger(failovers, 4, 2);
  }

  private Throwable down() {
    return prices.failure;
  }

  @Test
  void anErrorOfAListenerCostsNobodyAnAnswer() throws Throwable {
    Failovers failovers =
        builder().lifecycleListener(broken(FailoverLifecycleListener.class, GONE)).build();
    assertAnswers(failovers);
    assertThat(failovers.droppedEvents()).isPositive();
    assertThat(ask(failovers, spec, "a")).isEqualTo(new Price("a", 100));
  }

  @Test
  void anErrorOfAPublisherCostsNobodyAnAnswer() throws Throwable {
    List<Metrics> told = new CopyOnWriteArrayList<>();
    Failovers failovers =
        builder().publisher(broken(ObservablePublisher.class, GONE)).publisher(told::add).build();
    assertAnswers(failovers);
    Eventually.await("others are told all the same", () -> told.size() >= 6);
    failovers.close();
    assertThat(failovers.droppedEvents()).isPositive();
  }

  @Test
  void anErrorOfTheStoreCostsNobodyAnAnswer() throws Throwable {
    Failovers failovers =
        Failovers.builder(broken(FailoverStore.class, new StackOverflowError())).time(time).build();
    assertAnswers(failovers);
    assertThat(failovers.counts().get("price").storeFailures()).isEqualTo(2);
    assertThat(failovers.ledger().lostByReason()).containsEntry("store_failed", 2L);
  }

  @Test
  void anErrorOfTheHookLeavesTheStoredAnswer() throws Throwable {
    Failovers failovers =
        builder()
            .recoveredPayloadHandler(
                new RecoveredPayloadHandler() {
                  @Override
                  public <T> T handle(FailoverCall<T> call, T recovered, Throwable cause) {
                    throw GONE;
                  }
                })
            .build();
    ask(failovers, spec, "a");
    prices.failure = new IOException("down");
    assertThat(ask(failovers, spec, "a")).isEqualTo(new Price("a", 100));
  }

  @Test
  void anErrorOfTheKeyGeneratorLetsTheCallPass() throws Throwable {
    Failovers failovers = builder().build();
    FailoverSpec<Price> unkeyable =
        spec("unkeyable")
            .keyGenerator(
                (point, args) -> {
                  throw GONE;
                })
            .build();
    try (CapturedLog log = new CapturedLog("failover")) {
      assertThat(ask(failovers, unkeyable, "a")).isEqualTo(new Price("a", 100));
      assertThat(log.messages(Level.WARNING)) // its message may quote arguments
          .singleElement()
          .asString()
          .contains("pass unprotected", GONE.getClass().getName())
          .doesNotContain(String.valueOf(GONE.getMessage()));
    }
    assertThat(failovers.counts().get("unkeyable").unkeyable()).isEqualTo(1);
  }

  @Test
  void runningOutOfMemoryIsNoReasonToLeaveACallUnprotected() {
    Error exhausted = new OutOfMemoryError("no more");
    Failovers failovers = builder().build();
    FailoverSpec<Price> keyed =
        spec("keyed")
            .keyGenerator(
                (point, args) -> {
                  throw exhausted;
                })
            .build();
    try (CapturedLog log = new CapturedLog("failover")) {
      assertThatThrownBy(() -> ask(failovers, keyed, "a")).isSameAs(exhausted);
      assertThat(log.messages(Level.WARNING)).isEmpty();
    }
    assertThat(failovers.counts().get("keyed").unkeyable()).isZero();
    assertThat(failovers.ledger().isAccountedFor()).isTrue();
  }

  @Test
  void whatFailsWithAnErrorBehindTheBackOfCallersIsTriedAgain() throws Throwable {
    IdStore table = new IdStore();
    table.error = GONE;
    AsyncFailoverStore far = new AsyncFailoverStore(table, 10, StoreListener.NONE, time);
    Failovers failovers = Failovers.builder(far).time(time).build();
    ask(failovers, spec, "a");
    ask(failovers, spec, "b");
    Eventually.await("it has failed", () -> far.failed() > 0);
    table.error = null;
    ask(failovers, spec, "c");
    Eventually.await(
        "all is written",
        () -> {
          time.advance(Duration.ofSeconds(1)); // what has failed by itself waits aside
          return far.waiting() == 0;
        });
    assertThat(table.entries("price", 100)).hasSize(3);
    failovers.close();
  }

  @Test
  void anExecutionThatThrowsEndsTheStage() {
    Failovers failovers =
        builder().execution(parts -> broken(FailoverExecution.class, GONE)).build();
    CompletableFuture<Price> later =
        failovers.callLater(spec, List.of("b"), () -> new CompletableFuture<>());
    assertThatThrownBy(later::get).hasCause(GONE);
    assertThat(failovers.ledger().isAccountedFor()).isTrue();
    assertThat(failovers.ledger().lostByReason()).containsEntry("error", 1L);
  }
}
