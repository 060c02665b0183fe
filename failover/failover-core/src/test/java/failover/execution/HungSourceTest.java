package failover.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverException.SourceTimeoutException;
import failover.FailoverResult;
import failover.FailoverSpec;
import failover.FailoverSpecBuilder;
import failover.Failovers;
import failover.Source;
import failover.observe.FailoverLifecycleListener;
import failover.store.GatedStore;
import failover.store.InMemoryFailoverStore;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A source that does not answer has failed, whatever its point recovers and whoever waits. */
@Timeout(120)
class HungSourceTest {
  private static final Duration SOFT = Duration.ofMillis(20);
  private static final Duration HARD = Duration.ofMillis(100);
  private static final Duration ENOUGH = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final String LEFT_BEHIND = "failover call left behind has failed name=price";

  private final SettableTime time = new SettableTime();
  private final AtomicBoolean inTransaction = new AtomicBoolean();
  private final AtomicInteger failed = new AtomicInteger();
  private final Failovers failovers =
      Failovers.builder(new InMemoryFailoverStore())
          .time(time)
          .insideTransaction(inTransaction::get)
          .recoverable(HungSourceTest::isRecoverable)
          .closeTimeout(Duration.ofMillis(10))
          .lifecycleListener(
              new FailoverLifecycleListener() {
                @Override
                public void upstream(FailoverSpec<?> spec, boolean answered, long nanos) {
                  if (!answered) {
                    failed.incrementAndGet();
                  }
                }
              })
          .build();
  private final CountDownLatch released = new CountDownLatch(1);
  private final CapturedLog log = new CapturedLog("failover");

  @AfterEach
  void close() {
    released.countDown();
    failovers.close();
    log.close();
  }

  private static boolean isRecoverable(Throwable failure) {
    if (failure instanceof FileNotFoundException) {
      throw new IllegalStateException("a predicate that fails");
    }
    return RecoverableFailures.byDefault().test(failure);
  }

  /** A point that one failure pauses. */
  private static FailoverSpecBuilder<String> spec() {
    return FailoverSpec.builder("price", String.class)
        .pause(PAUSE, PAUSE)
        .pauseAfter(0.01, 1, Duration.ofSeconds(10));
  }

  private static FailoverSpec<String> choosy() {
    return spec()
        .hardTimeout(HARD)
        .recoverOn(List.of(IOException.class))
        .removesOn(List.of(RuntimeException.class))
        .build();
  }

  private FailoverResult<String> ask(
      FailoverSpec<String> spec, Source<String, ? extends Exception> source) throws Exception {
    return failovers.callForResult(spec, List.of("a"), source);
  }

  private boolean isAsked(FailoverSpec<String> spec) throws Exception {
    return ask(spec, () -> "asked").upToDate();
  }

  private static String down() throws IOException {
    throw new IOException("down");
  }

  private String untilInterrupted() throws InterruptedException {
    released.await();
    return "late";
  }

  private String untilReleased() {
    Uninterruptibly.await(released);
    return "late";
  }

  private void awaitLog(String message) {
    Eventually.await(
        "it is logged: " + message,
        () -> log.messages(Level.WARNING).stream().anyMatch(it -> it.contains(message)));
  }

  /** By another point, whose callers have no timeout, under the same keys. */
  private void store(String answer) {
    FailoverSpec<String> patient =
        FailoverSpec.builder("patient", String.class).domain("price").build();
    failovers.call(patient, List.of("a"), () -> answer);
  }

  private void assertTimeoutPauses(FailoverSpec<String> spec) throws Exception {
    FailoverResult<String> result = ask(spec, this::untilInterrupted);
    assertThat(result.value()).isEqualTo("first");
    assertThat(result.cause().orElseThrow()).isInstanceOf(SourceTimeoutException.class);
    assertThat(isAsked(spec)).as("there is a pause").isFalse();
  }

  @Test
  void aTimeoutIsRecoveredAlsoWhereThePointRecoversOtherFailuresAlone() throws Exception {
    store("first");
    assertTimeoutPauses(choosy());
  }

  @Test
  void soIsOneInsideATransaction() throws Exception {
    store("first");
    inTransaction.set(true);
    assertTimeoutPauses(choosy());
  }

  @Test
  void aTryThatTimesOutDoesNotEndThePause() throws Exception {
    store("first");
    ask(choosy(), HungSourceTest::down);
    time.advance(PAUSE.multipliedBy(2));
    assertTimeoutPauses(choosy());
  }

  @Test
  void theTimeoutOfAnotherPointIsAFailureAsAnyOther() {
    store("first");
    FailoverSpec<String> choosy =
        spec().hardTimeout(ENOUGH).recoverOn(List.of(IOException.class)).build();
    SourceTimeoutException other = new SourceTimeoutException("stock", HARD);
    assertThatThrownBy(
            () ->
                ask(
                    choosy,
                    () -> {
                      throw other;
                    }))
        .isSameAs(other);
  }

  private static FailoverSpec<String> both() {
    return spec().softTimeout(SOFT).hardTimeout(HARD).build();
  }

  private void assertPausesAtTheHardTimeout(Source<String, Exception> hung) throws Exception {
    store("first");
    assertThat(ask(both(), hung).value()).isEqualTo("first");
    assertThat(failovers.counts().get("price").slow()).isEqualTo(1);
    awaitLog(LEFT_BEHIND);
    assertThat(isAsked(both())).as("there is a pause").isFalse();
  }

  @Test
  void aCallLeftAtItsSoftTimeoutCountsAsFailedAtItsHardOne() throws Exception {
    assertPausesAtTheHardTimeout(this::untilInterrupted);
  }

  @Test
  void soDoesOneThatTakesNoNoticeOfTheInterrupt() throws Exception {
    assertPausesAtTheHardTimeout(this::untilReleased);
  }

  @Test
  void itIsCountedOnceAndItsLateAnswerIsStored() throws Exception {
    assertPausesAtTheHardTimeout(this::untilReleased);
    Eventually.await("the listener is called", () -> failed.get() == 1);
    assertThat(failovers.counts().get("price").stored()).isZero();
    released.countDown();
    Eventually.await("it is stored", () -> failovers.counts().get("price").stored() == 1);
    assertThat(ask(both(), () -> "not asked").value()).as("in the pause").isEqualTo("late");
    assertThat(failed).hasValue(1);
    assertThat(failovers.ledger().isAccountedFor()).isTrue();
  }

  @Test
  void aTryLeftBehindProlongsThePauseAtItsHardTimeout() throws Exception {
    store("first");
    ask(both(), HungSourceTest::down);
    time.advance(PAUSE.multipliedBy(2));
    assertThat(ask(both(), this::untilInterrupted).value()).isEqualTo("first");
    awaitLog(LEFT_BEHIND);
    assertThat(isAsked(both())).as("the pause goes on").isFalse();
    time.advance(PAUSE.multipliedBy(2));
    assertThat(isAskedBehind()).as("it is tried again").isTrue();
  }

  /** A call that tries the source is answered before it. */
  private boolean isAskedBehind() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    ask(
        both(),
        () -> {
          asked.countDown();
          return "asked";
        });
    return asked.await(ENOUGH.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void whatAPartOfTheApplicationThrowsAfterTheCallerHasLeftIsLogged() throws Exception {
    FailoverSpec<String> soft = spec().softTimeout(SOFT).hardTimeout(ENOUGH).build();
    store("first");
    inTransaction.set(true); // on this thread: it has failed before the clock moves
    ask(soft, HungSourceTest::down);
    inTransaction.set(false);
    time.advance(PAUSE.multipliedBy(2));
    ask(
        soft,
        () -> {
          throw new FileNotFoundException(untilReleased());
        });
    released.countDown();
    awaitLog(LEFT_BEHIND + " cause=java.lang.IllegalStateException");
    Eventually.await("the try is taken back", () -> isAsked(soft));
  }

  /** Its first use is for the call itself. */
  private static Failovers failingForTheRead(AtomicInteger wrapped) {
    return Failovers.builder(GatedStore.hungReads())
        .closeTimeout(Duration.ofMillis(10))
        .contextPropagator(
            task -> {
              if (wrapped.incrementAndGet() == 2) {
                throw new IllegalStateException("no context");
              }
              return task;
            })
        .build();
  }

  @Test
  void aPropagatorThatFailsForTheReadDoesNotEndTheCall() throws Exception {
    AtomicInteger wrapped = new AtomicInteger();
    FailoverSpec<String> soft = spec().softTimeout(SOFT).hardTimeout(ENOUGH).build();
    try (Failovers carried = failingForTheRead(wrapped)) {
      String answer =
          carried.call(
              soft,
              List.of("a"),
              () -> {
                Eventually.await("the read was to begin", () -> wrapped.get() == 2);
                return "live";
              });
      assertThat(answer).isEqualTo("live");
    }
  }

  @Test
  void norDoesItAtTheHardTimeout() throws Exception {
    FailoverSpec<String> hard = spec().hardTimeout(HARD).build();
    try (Failovers carried = failingForTheRead(new AtomicInteger())) {
      assertThatThrownBy(() -> carried.call(hard, List.of("a"), this::untilInterrupted))
          .isInstanceOf(SourceTimeoutException.class);
      assertThat(carried.ledger().lostByReason()).containsEntry("store_failed", 1L);
      assertThat(carried.ledger().isAccountedFor()).isTrue();
    }
  }
}
