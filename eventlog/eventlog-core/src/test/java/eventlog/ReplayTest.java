package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.Answer;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** Events from disk on their way to the API. */
class ReplayTest extends LoggerFixture {

  private AsyncEventLogger withOnDisk(int count) {
    return withOnDisk(count, 10);
  }

  private AsyncEventLogger withOnDisk(int count, int replayBatchSize) {
    api.answers(events -> Answer.broken("401")); // opens the breaker before any time has passed
    AsyncEventLogger logger =
        spilling(
            b ->
                b.circuitBreakerThreshold(1)
                    .maxRetries(1)
                    .baseRetryDelay(Duration.ofMillis(10))
                    .maxRetryDelay(Duration.ofMillis(10))
                    .replayBatchSize(replayBatchSize)
                    .replayIntervalMs(10_000)
                    .circuitBreakerReset(Duration.ofSeconds(1))
                    .maxReplayEventsPerSecond(1000));
    logger.log(Events.event("first"));
    Eventually.await("on disk", () -> logger.metrics().eventsSpilled() == 1);
    logger.log(Events.events("e", count - 1));
    Eventually.await("on disk", () -> lines(ACTIVE).size() == count);
    return logger;
  }

  @Test
  void whileTheReplayFileIsSentNewEventsGoToAFreshActiveFile() throws InterruptedException {
    AsyncEventLogger logger = withOnDisk(5);
    CountDownLatch latch = new CountDownLatch(1);
    CountDownLatch inside = new CountDownLatch(1);
    api.answers(
        events -> {
          if (Events.keys(events).contains("first")) {
            inside.countDown();
            latch.await();
            return Answer.delivered();
          }
          return Answer.broken("401");
        });
    passUntil("replaying", () -> inside.getCount() == 0);

    logger.log(Events.event("new"));
    passUntil("on disk", () -> lines(ACTIVE).size() == 1);

    assertThat(lines(REPLAY)).hasSize(5);
    assertThat(lines(ACTIVE).get(0)).startsWith("{\"seq\":6,").contains("\"new\"");
    latch.countDown();
    api.isUp();
    passUntil("all", () -> logger.metrics().eventsReplayed() == 6);
    assertBalanced(logger);
  }

  @Test
  void afterAFailureItGoesOnWhereItWas() {
    AsyncEventLogger logger = withOnDisk(35);
    AtomicInteger requests = new AtomicInteger();
    api.answers(
        events -> requests.incrementAndGet() > 2 ? Answer.later("down", null) : Answer.delivered());
    passUntil("two batches", () -> logger.metrics().eventsReplayed() == 20);
    assertThat(lines("eventlog-spillover.replay.progress")).isNotEmpty();
    api.isUp();

    passUntil("all", () -> logger.metrics().eventsReplayed() == 35);

    assertThat(api.stored()).hasSize(35).doesNotHaveDuplicates();
    assertThat(api.stored().subList(0, 3)).containsExactly("first", "e-0", "e-1");
  }

  @Test
  void anEventThatIsLeftOutAgainAndAgainIsSetAside() {
    AsyncEventLogger logger = withOnDisk(5);
    api.answers(
        events -> {
          int index = Events.keys(events).indexOf("e-1");
          return index < 0
              ? Answer.delivered()
              : Answer.partly(List.of(new Answer.Failure(index, "never")));
        });

    passUntil("set aside", () -> lines(QUARANTINE).size() == 1);
    passUntil("all", () -> logger.metrics().eventsReplayed() == 4);

    assertThat(lines(QUARANTINE).get(0)).contains("\"problem\":\"never\"", "\"e-1\"");
    assertThat(log.lines())
        .filteredOn(line -> line.contains("set aside an event"))
        .singleElement()
        .asString()
        .contains("reason=rejected_by_api problem=never file=" + directory);
    settle(logger);
    assertBalanced(logger);
  }

  @Test
  void itIsNoFasterThanTheRate() {
    AsyncEventLogger logger = withOnDisk(200);
    api.isUp();
    passUntil("begun", () -> logger.metrics().eventsReplayed() > 0);
    long start = time.nanoTime();
    long before = logger.metrics().eventsReplayed();

    Eventually.await(
        "all",
        () -> {
          time.advance(Duration.ofMillis(5));
          return logger.metrics().eventsReplayed() == 200;
        });

    // 1000 a second; one batch may be under way, and one paid for already.
    long passed = Duration.ofNanos(time.nanoTime() - start).toMillis();
    assertThat(passed).isGreaterThanOrEqualTo(200 - before - 20);
  }

  @Test
  void theLimitCountsWhatIsNotYetAnsweredFor() {
    AsyncEventLogger logger = withOnDisk(20);
    api.isUp();
    passUntil("all", () -> logger.metrics().eventsReplayed() == 20);
    settle(logger);

    assertThat(logger.ledger().heldByPlace()).containsEntry("disk", 0L);
  }

  @Test
  void theDeliveredPartOfABatchIsNotSentAgain() {
    api.isDown();
    AsyncEventLogger logger =
        spilling(b -> b.maxRetries(0).replayIntervalMs(1000).circuitBreakerThreshold(1000));
    logger.log(Events.events("e", 4));
    settle(logger);
    AtomicInteger requests = new AtomicInteger();
    api.answers(
        events ->
            switch (requests.getAndIncrement()) {
              case 0 ->
                  Answer.rejected("HTTP 400"); // in halves: the first is taken, the second not
              case 1 -> Answer.delivered();
              case 2, 3 -> Answer.later("down", null);
              default -> Answer.delivered();
            });

    passUntil("replayed", () -> logger.metrics().eventsReplayed() == 4);

    assertThat(api.stored()).containsExactlyInAnyOrder("e-0", "e-1", "e-2", "e-3");
    settle(logger);
    assertThat(logger.ledger().lost()).isZero();
  }

  @Test
  void whatAPartialAnswerHasTakenIsNotSentAgain() {
    api.isDown();
    AsyncEventLogger logger =
        spilling(b -> b.maxRetries(1).replayIntervalMs(60_000).circuitBreakerThreshold(1000));
    logger.log(Events.events("e", 3));
    passUntil("on disk", () -> logger.ledger().heldByPlace().get("disk") == 3);
    AtomicInteger requests = new AtomicInteger();
    api.answers(
        events ->
            switch (requests.getAndIncrement()) {
              case 0 -> Answer.partly(List.of(new Answer.Failure(1, "busy")));
              case 1 -> Answer.later("down", null);
              default -> Answer.delivered();
            });

    passUntil("replayed", () -> logger.metrics().eventsReplayed() == 3);

    assertThat(api.stored()).containsExactlyInAnyOrder("e-0", "e-1", "e-2");
  }

  @Test
  void requestsThatLookForABadEventKeepToTheRateAsWell() throws InterruptedException {
    api.isDown();
    AsyncEventLogger logger =
        spilling(
            b ->
                b.maxRetries(0)
                    .circuitBreakerThreshold(1000)
                    .replayIntervalMs(1000)
                    .maxReplayEventsPerSecond(1));
    logger.log(Events.events("e", 4));
    settle(logger);
    int before = api.requests().size();
    api.answers(
        events ->
            Events.keys(events).contains("e-0") ? Answer.rejected("HTTP 400") : Answer.delivered());
    passUntil("asked", () -> api.requests().size() > before);

    pass(Duration.ofSeconds(3), 4); // four events were sent, so four seconds must pass
    assertThat(api.requests()).hasSize(before + 1);
    passUntil("replayed", () -> logger.metrics().eventsReplayed() == 3);
  }

  @Test
  void anApiThatTakesOnlySmallBatchesGetsSmallOnesAfterTheFirstFew() {
    AsyncEventLogger logger = withOnDisk(800, 100);
    int before = api.requests().size();
    api.answers(events -> events.size() > 30 ? Answer.rejected("HTTP 413") : Answer.delivered());

    passUntil("replayed", () -> logger.metrics().eventsReplayed() == 800);

    assertThat(api.stored()).hasSize(800).doesNotHaveDuplicates();
    assertThat(logger.ledger().heldByPlace()).containsEntry("quarantine", 0L);
    // 100 at once and in halves, three times, so the next 100 that are read already; then 25 at
    // once
    assertThat(api.requests().size() - before).isLessThanOrEqualTo(4 * (1 + 2 + 4) + 16);
  }

  @Test
  void anApiThatRefusesEverythingForAWhileIsNotTakenForOneThatTakesOnlySmallBatches() {
    AsyncEventLogger logger = withOnDisk(400, 100);
    int before = api.requests().size();
    api.answers(events -> Answer.rejected("HTTP 400"));
    passUntil("refused", () -> api.requests().size() > before + 20);

    api.isUp();
    passUntil("replayed", () -> logger.ledger().heldByPlace().get("disk") == 0);

    assertThat(log.messages(Level.INFO))
        .noneMatch(line -> line.startsWith("eventlog replay sends smaller requests"));
    List<List<String>> requests = api.requests();
    assertThat(requests.get(requests.size() - 1)).hasSize(100);
  }

  @Test
  void withoutBatchingEventsFromDiskAreSentOneByOne() {
    api.answers(events -> Answer.broken("401"));
    AsyncEventLogger logger =
        spilling(b -> b.batchSize(1).replayIntervalMs(1000).circuitBreakerThreshold(1));
    logger.log(Events.events("e", 5));
    Eventually.await("on disk", () -> lines(ACTIVE).size() == 5);
    int before = api.requests().size();
    api.answers(events -> Answer.delivered());

    passUntil("replayed", () -> logger.metrics().eventsReplayed() == 5);

    assertThat(api.requests().size() - before).isEqualTo(5);
  }
}
