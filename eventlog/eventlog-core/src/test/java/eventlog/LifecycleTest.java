package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.Answer;
import holdfast.lifecycle.CloseReport;
import holdfast.testkit.process.ChildJvm;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.threads.Together;
import holdfast.time.TimeSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The steps of starting and of closing. */
class LifecycleTest extends LoggerFixture {

  @Nested
  class Startup {
    @Test // step 2
    void theDirectoryIsMade() {
      Path deep = directory.resolve("a/b");
      logger(b -> b.spilloverPath(deep));

      assertThat(deep).isDirectory();
    }

    @Test // step 2
    void whatIsOnDiskIsCounted() {
      leaveBehind(3);

      AsyncEventLogger logger = spilling(b -> {});

      assertThat(logger.ledger().recoveredAtStartup()).isEqualTo(3);
      assertThat(logger.ledger().heldByPlace()).containsEntry("disk", 3L);
      assertBalanced(logger);
    }

    @Test // step 3
    void sendersRun() {
      AsyncEventLogger logger = logger(b -> b.senderThreads(2));
      logger.log(Events.event("a"));

      settle(logger);

      assertThat(api.stored()).containsExactly("a");
    }

    @Test // step 4
    void whatIsOnDiskIsSentAtOnce() {
      leaveBehind(3);
      AsyncEventLogger logger = spilling(b -> b.replayIntervalMs(10_000));

      Eventually.await("replayed", () -> logger.metrics().eventsReplayed() == 3);
      settle(logger);

      assertThat(api.stored()).containsExactly("left-0", "left-1", "left-2");
      Eventually.await("deleted", () -> !directory.resolve(REPLAY).toFile().exists());
      assertThat(logger.metrics().eventsSent()).isEqualTo(3);
    }

    @Test // step 4
    void whatComesLaterIsSentAfterTheInterval() throws InterruptedException {
      api.answers(events -> Answer.broken("401"));
      AsyncEventLogger logger =
          spilling(b -> b.replayIntervalMs(10_000).circuitBreakerReset(Duration.ofSeconds(1)));
      time.awaitSleepers(4);
      logger.log(Events.events("late", 3));
      Eventually.await("on disk", () -> lines(ACTIVE).size() == 3);
      api.answers(events -> Answer.delivered());

      time.advance(Duration.ofMillis(9_000));
      time.awaitSleepers(4);
      assertThat(api.stored()).isEmpty();
      time.advance(Duration.ofMillis(1_000));
      Eventually.await("replayed", () -> logger.metrics().eventsReplayed() == 3);
    }

    @Test // step 5
    void theEndOfTheJvmClosesTheLogger() throws InterruptedException {
      assertThat(linesAfterExit("with")).hasSize(2);
    }

    @Test // step 5
    void unlessSomebodyElseDoes() throws InterruptedException {
      assertThat(linesAfterExit("without")).isEmpty();
    }

    private List<String> linesAfterExit(String hook) throws InterruptedException {
      try (ChildJvm child = ChildJvm.of(ExitingApp.class, directory.toString(), hook).start()) {
        assertThat(child.awaitExit(Duration.ofSeconds(50))).isEqualTo(3);
      }
      return lines(ACTIVE);
    }
  }

  @Test
  void flushWithoutTimeIsTrueWhenNothingIsInMemory() throws InterruptedException {
    CountDownLatch answered = new CountDownLatch(1);
    api.waitsFor(answered);
    AsyncEventLogger logger = spilling(b -> {});
    assertThat(logger.flush(Duration.ZERO)).isTrue();

    logger.log(Events.event("a"));
    assertThat(logger.flush(Duration.ZERO)).isFalse();
    answered.countDown();
    settle(logger);

    assertThat(logger.flush(Duration.ZERO)).isTrue();
  }

  @Nested
  class Shutdown {
    @Test
    void liveRequestsAndThoseOfTheReplayShareOneTimeout() {
      CountDownLatch never = new CountDownLatch(1);
      Duration timeout = Duration.ofSeconds(6);
      api.isDown();
      AsyncEventLogger logger =
          spilling(b -> b.time(TimeSource.system()).maxRetries(0).replayIntervalMs(20));
      logger.log(Events.event("from disk"));
      Eventually.await("on disk", () -> !lines(ACTIVE).isEmpty() || !lines(REPLAY).isEmpty());
      int before = api.requests().size();
      api.waitsFor(never);
      Eventually.await("replay hangs", () -> api.requests().size() > before);
      logger.log(Events.event("live"));
      Eventually.await("live hangs", () -> api.requests().contains(List.of("live")));

      long startedAt = System.nanoTime();
      CloseReport report = logger.close(timeout);
      Duration taken = Duration.ofNanos(System.nanoTime() - startedAt);

      assertThat(taken)
          .isBetween(timeout, timeout.multipliedBy(3).dividedBy(2)); // not one after the other
      assertThat(report.stillRunning()).isZero();
      assertThat(logger.ledger().heldByPlace().get("disk")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"with", "without"})
    void aTerminationSignalWaitsForTheCloseUnderWay(String hook) throws InterruptedException {
      try (ChildJvm child = ChildJvm.of(ClosingApp.class, directory.toString(), hook).start()) {
        child.awaitLine("closing"::equals, Duration.ofSeconds(50));
        child.terminate(Duration.ofSeconds(50));
      }
      assertThat(lines(ACTIVE).stream().filter(line -> line.contains("\"e-"))).hasSize(200);
    }

    @Test // step 1
    void logIsRefused() {
      AsyncEventLogger logger = logger(b -> {});
      logger.shutdown();

      assertThat(logger.log(Events.event("late"))).isFalse();
    }

    @Test // step 2
    void pendingRetriesAreCancelled() {
      api.isDown();
      AsyncEventLogger logger = spilling(b -> {});
      logger.log(Events.event("a"));
      Eventually.await("waiting", () -> logger.ledger().heldByPlace().get("retry") == 1);
      int requests = api.requests().size();
      api.isUp();

      logger.shutdown();

      assertThat(api.requests()).hasSize(requests);
      assertThat(lines(ACTIVE)).hasSize(1);
    }

    @Test // step 3
    void theMainQueueIsSentFirst() {
      CountDownLatch latch = new CountDownLatch(1);
      api.waitsFor(latch);
      AsyncEventLogger logger = spilling(b -> b.batchSize(1));
      logger.log(Events.events("e", 20));
      latch.countDown();

      logger.shutdown();

      assertThat(api.stored()).hasSize(20);
      assertThat(lines(ACTIVE)).isEmpty();
    }

    @Test // step 4
    void whatIsNotSentInTimeGoesToDisk() {
      api.waitsFor(new CountDownLatch(1));
      AsyncEventLogger logger = spilling(b -> b.batchSize(1).closeTimeout(Duration.ofMillis(20)));
      logger.log(Events.events("e", 20));

      logger.shutdown();

      assertThat(lines(ACTIVE)).hasSize(20);
      assertThat(logger.ledger().held()).isEqualTo(20);
      assertBalanced(logger);
    }

    @Test // step 4, a client that cannot be interrupted
    void evenWhatIsInARequestThatNeverEndsGoesToDisk() {
      CountDownLatch latch = new CountDownLatch(1);
      api.answers(
          events -> {
            while (latch.getCount() > 0) {
              try {
                latch.await();
              } catch (InterruptedException e) {
                // Deaf, as some clients are.
              }
            }
            return Answer.delivered();
          });
      AsyncEventLogger logger = spilling(b -> b.batchSize(2).closeTimeout(Duration.ofMillis(20)));
      logger.log(Events.events("e", 4));
      Eventually.await("in hand", () -> !api.requests().isEmpty());

      logger.shutdown();
      latch.countDown();

      assertThat(lines(ACTIVE)).hasSize(4);
      Eventually.await("the late answer is here", () -> api.stored().size() >= 1);
      assertThat(logger.ledger().delivered()).isZero();
      assertBalanced(logger);
    }

    @Test // step 4, a refusal that comes when the sender has been interrupted
    void whatIsRefusedAtTheLastMomentIsSetAside() {
      api.answers(
          events -> {
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            return Answer.rejected("too late");
          });
      AsyncEventLogger logger = spilling(b -> b.closeTimeout(Duration.ofMillis(20)));
      logger.log(Events.event("e"));
      Eventually.await("in hand", () -> !api.requests().isEmpty());

      logger.shutdown();

      assertThat(lines(QUARANTINE)).hasSize(1);
      assertThat(losses.told()).isEmpty();
      assertBalanced(logger);
    }

    @Test // step 5
    void allThreadsEnd() {
      AsyncEventLogger logger = spilling(b -> b.senderThreads(2));
      assertThat(threads()).isNotEmpty();

      logger.shutdown();

      Eventually.await("no thread left", () -> threads().isEmpty());
    }

    private List<String> threads() {
      return Thread.getAllStackTraces().keySet().stream()
          .map(Thread::getName)
          .filter(name -> name.startsWith("eventlog-"))
          .toList();
    }

    @Test // step 6
    void theLastLineShowsTheLedger() {
      AsyncEventLogger logger = logger(b -> {});
      logger.log(Events.event("a"));
      settle(logger);

      logger.shutdown();

      assertThat(log.messages(Level.INFO))
          .containsExactly("eventlog accepted=1 delivered=1 held=0 lost=0 unaccounted=0 closed");
    }

    @Test
    void theSecondTimeNothingHappens() {
      AsyncEventLogger logger = logger(b -> {});
      logger.shutdown();
      logger.close();

      assertThat(log.messages(Level.INFO)).hasSize(1);
    }

    @Test
    void whoClosesItMeanwhileWaitsForTheFirstAndGetsTheSameReport() throws Exception {
      CountDownLatch latch = new CountDownLatch(1);
      api.waitsFor(latch);
      AsyncEventLogger logger = logger(b -> b.time(TimeSource.system()));
      logger.log(Events.event("a"));
      Eventually.await("in hand", () -> !api.requests().isEmpty());

      assertThat(Together.callBoth(() -> logger.close(Duration.ofSeconds(60)), latch::countDown))
          .containsOnly(CloseReport.CLEAN);
      assertThat(logger.ledger().delivered()).isEqualTo(1);
    }

    @Test
    void anInterruptCutsOnlyTheWaitingShort() {
      api.waitsFor(new CountDownLatch(1));
      AsyncEventLogger logger = spilling(b -> b.batchSize(1));
      logger.log(Events.events("e", 3));
      Eventually.await("in hand", () -> !api.requests().isEmpty());

      Thread.currentThread().interrupt();
      logger.shutdown();

      assertThat(Thread.interrupted()).isTrue();
      Eventually.await("on disk", () -> lines(ACTIVE).size() == 3);
    }
  }

  @Test
  void flushWaitsUntilNothingIsInMemory() throws InterruptedException {
    AsyncEventLogger logger =
        AsyncEventLogger.builder().client(api).maxBatchWait(Duration.ofHours(1)).build();
    try (logger) {
      logger.log(Events.events("e", 7));

      assertThat(logger.flush(Duration.ofSeconds(20))).isTrue();

      assertThat(api.stored()).hasSize(7);
      CountDownLatch latch = new CountDownLatch(1);
      api.waitsFor(latch);
      logger.log(Events.event("slow"));
      assertThat(logger.flush(Duration.ofMillis(20))).isFalse();
      latch.countDown();
    }
  }

  @Test
  void theMetersHaveTheNamesOfTheDocument() {
    assertThat(Arrays.stream(EventLogMeter.values()).map(EventLogMeter::meterName))
        .containsExactly(
            "eventlog.events.queued",
            "eventlog.events.sent",
            "eventlog.events.failed",
            "eventlog.events.spilled",
            "eventlog.events.replayed",
            "eventlog.queue.depth",
            "eventlog.circuit-breaker.open");
    EventLogMetrics metrics = new EventLogMetrics(1, 2, 3, 4, 5, 6, true);
    assertThat(Arrays.stream(EventLogMeter.values()).map(meter -> meter.value(metrics)))
        .containsExactly(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1.0);
    assertThat(EventLogMeter.values()).allMatch(meter -> !meter.description().isEmpty());
  }

  private void leaveBehind(int count) {
    api.isDown();
    AsyncEventLogger before =
        spilling(b -> b.circuitBreakerThreshold(1).maxRetries(0).replayIntervalMs(3_600_000));
    before.log(Events.events("left", count));
    before.shutdown();
    api.isUp();
    assertThat(lines(ACTIVE)).hasSize(count);
  }
}
