package failover.execution;

import static org.assertj.core.api.Assertions.assertThat;

import failover.FailoverCall;
import failover.FailoverSpec;
import failover.FailoverSpecBuilder;
import failover.Failovers;
import failover.FailoversBuilder;
import failover.observe.internal.StateLog;
import failover.recovery.RecoveredPayloadHandler;
import failover.store.FailoverStore;
import failover.store.GatedStore;
import failover.store.InMemoryFailoverStore;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a point logs: each trouble once, and that it is over. */
@Timeout(60)
class PointLogTest {
  private final SettableTime time = new SettableTime();
  private final CapturedLog log = new CapturedLog("failover");

  @AfterEach
  void close() {
    log.close();
  }

  private FailoversBuilder builder(FailoverStore store) {
    return Failovers.builder(store).time(time).closeTimeout(Duration.ofMillis(10));
  }

  private static FailoverSpecBuilder<String> spec() {
    return FailoverSpec.builder("price", String.class).pause(Duration.ZERO, Duration.ZERO);
  }

  private static void fail(Failovers failovers, FailoverSpec<String> spec) throws IOException {
    failovers.call(spec, List.of("a"), PointLogTest::down);
  }

  private static String down() throws IOException {
    throw new IOException("down");
  }

  private static void answer(Failovers failovers, FailoverSpec<String> spec) {
    failovers.call(spec, List.of("a"), () -> "live");
  }

  private void assertLogged(Level level, String message) {
    assertThat(log.messages(level)).filteredOn(it -> it.startsWith(message)).hasSize(1);
  }

  @Test
  void thatTheSourceFailsAndAnswersAgain() throws IOException {
    FailoverSpec<String> spec = spec().build();
    try (Failovers failovers = builder(new InMemoryFailoverStore()).build()) {
      answer(failovers, spec);
      fail(failovers, spec);
      fail(failovers, spec);
      assertLogged(
          Level.WARNING,
          "failover source fails, calls get stored answers where there are some name=price cause=");
      time.advance(StateLog.QUIET);
      answer(failovers, spec);
      answer(failovers, spec);
      assertLogged(Level.INFO, "failover source answers again name=price");
    }
  }

  @Test
  void thatCallsLeftBehindFailAndEndWellAgain() throws Exception {
    FailoverSpec<String> soft =
        spec().softTimeout(Duration.ofMillis(10)).hardTimeout(Duration.ofMinutes(1)).build();
    AtomicBoolean inTransaction = new AtomicBoolean(true); // so that it takes as long as it likes
    try (Failovers failovers =
        builder(new InMemoryFailoverStore()).insideTransaction(inTransaction::get).build()) {
      answer(failovers, soft);
      inTransaction.set(false);
      CountDownLatch left = new CountDownLatch(1);
      failovers.call(
          soft,
          List.of("a"),
          () -> {
            Uninterruptibly.await(left);
            return down();
          });
      left.countDown();
      Eventually.await(
          "it has failed",
          () ->
              log.messages(Level.WARNING).stream()
                  .anyMatch(
                      it -> it.startsWith("failover call left behind has failed name=price")));
      time.advance(StateLog.QUIET);
      inTransaction.set(true);
      answer(failovers, soft);
      assertLogged(Level.INFO, "failover calls left behind end well again name=price");
    }
  }

  @Test
  void thatTheHookFailsAndWorksAgain() throws IOException {
    AtomicBoolean fails = new AtomicBoolean(true);
    try (Failovers failovers =
        builder(new InMemoryFailoverStore())
            .recoveredPayloadHandler(
                new RecoveredPayloadHandler() {
                  @Override
                  public <T> @Nullable T handle(
                      FailoverCall<T> call, @Nullable T stored, Throwable cause) {
                    if (fails.get()) {
                      throw new IllegalStateException("told to fail");
                    }
                    return stored;
                  }
                })
            .build()) {
      FailoverSpec<String> spec = spec().build();
      answer(failovers, spec);
      fail(failovers, spec);
      assertLogged(Level.WARNING, "failover RecoveredPayloadHandler fails name=price cause=");
      fails.set(false);
      time.advance(StateLog.QUIET);
      fail(failovers, spec);
      assertLogged(Level.INFO, "failover RecoveredPayloadHandler works again name=price");
    }
  }

  @Test
  void thatTheStoreDoesNotAnswerInTimeAndDoesSoAgain() throws IOException {
    GatedStore store = GatedStore.hungReads();
    FailoverSpec<String> spec = spec().build();
    try (Failovers failovers = builder(store).readTimeout(Duration.ofMillis(10)).build()) {
      answer(failovers, spec);
      for (int i = 0; i < 2; i++) {
        try {
          fail(failovers, spec);
        } catch (IOException e) {
          assertThat(e).hasMessage("down");
        }
      }
      assertLogged(
          Level.WARNING,
          "failover store does not answer in time name=price"
              + " cause=failover.store.FailoverStoreException");
      store.release();
      time.advance(StateLog.QUIET);
      Eventually.await(
          "a read is in time again",
          () -> {
            try {
              fail(failovers, spec);
            } catch (IOException e) {
              return false; // on a busy machine
            }
            return log.messages(Level.INFO)
                .contains("failover store answers in time again name=price");
          });
    }
  }
}
