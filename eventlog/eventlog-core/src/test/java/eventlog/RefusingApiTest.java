package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.Answer;
import holdfast.breaker.CircuitBreaker;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** An API that refuses everything with 400 is an outage: it is not asked for each event. */
class RefusingApiTest extends LoggerFixture {
  private final CountDownLatch held = new CountDownLatch(1);

  private AsyncEventLogger refused(int quarantineBytes) {
    api.answers(events -> Answer.rejected("HTTP 400"));
    return spilling(
        b ->
            b.maxQuarantineSizeBytes(quarantineBytes)
                .circuitBreakerReset(Duration.ofSeconds(30))
                .replayIntervalMs(1000));
  }

  @Test
  void fewRequestsAreMadeTheBreakerOpensAndTheLogSaysWhy() {
    AsyncEventLogger logger = refused(1);
    logger.log(Events.events("e", 1000));
    Eventually.await("open", () -> logger.circuitState() == CircuitBreaker.State.OPEN);
    settle(logger);

    assertThat(api.requests()).hasSizeLessThan(40);
    assertThat(logger.ledger().lost()).isLessThan(40);
    assertThat(logger.ledger().heldByPlace().get("disk")).isGreaterThan(950);
    assertThat(log.lines())
        .anyMatch(line -> line.contains("refused") && line.contains("problem=HTTP 400"));
    assertThat(log.lines()).noneMatch(line -> line.contains("set aside an event")); // no room
    assertBalanced(logger);
  }

  @Test
  void afterwardsItIsAskedOnceForEachPauseAndEverythingIsSentWhenItAcceptsAgain()
      throws InterruptedException {
    AsyncEventLogger logger = refused(10_000_000);
    logger.log(Events.events("e", 1000));
    Eventually.await("open", () -> logger.circuitState() == CircuitBreaker.State.OPEN);
    settle(logger);
    int before = api.requests().size();

    pass(Duration.ofSeconds(95), 4);
    assertThat(api.requests().size() - before).isBetween(1, 4);

    api.isUp();
    passUntil("sent", () -> logger.ledger().heldByPlace().get("disk") == 0);
    assertThat(logger.ledger().lost()).isZero();
    assertThat(logger.ledger().heldByPlace().get("quarantine")).isLessThan(40);
    assertBalanced(logger);
  }

  @Test
  void onlyTheFirstFewAreSetAsideHoweverLongItRefuses() throws InterruptedException {
    api.answers(events -> Answer.rejected("HTTP 400"));
    AsyncEventLogger logger =
        spilling(
            b ->
                b.batchSize(1)
                    .replayBatchSize(1)
                    .circuitBreakerReset(Duration.ofSeconds(30))
                    .replayIntervalMs(1000));
    logger.log(Events.events("e", 100));
    Eventually.await("open", () -> logger.circuitState() == CircuitBreaker.State.OPEN);
    settle(logger);

    pass(Duration.ofMinutes(5), 4);
    settle(logger);
    assertThat(logger.ledger().heldByPlace()).containsEntry("quarantine", 19L);

    api.isUp();
    passUntil("sent", () -> logger.ledger().heldByPlace().get("disk") == 0);
    settle(logger);
    assertThat(api.stored()).hasSize(81).doesNotHaveDuplicates();
    assertThat(logger.ledger().lost()).isZero();
  }

  @Test
  void noMoreAreSetAsideIfItWasDownBefore() throws InterruptedException {
    api.isDown();
    AsyncEventLogger logger =
        spilling(
            b ->
                b.maxRetries(0)
                    .circuitBreakerThreshold(1)
                    .circuitBreakerReset(Duration.ofSeconds(1))
                    .replayIntervalMs(100));
    logger.log(Events.events("e", 100));
    settle(logger);
    int before = api.requests().size();
    passUntil("tried from disk", () -> api.requests().size() > before);

    api.answers(events -> Answer.rejected("HTTP 400"));
    pass(Duration.ofMinutes(2), 4);
    settle(logger);
    assertThat(logger.ledger().heldByPlace().get("quarantine")).isLessThan(20);

    api.isUp();
    passUntil("sent", () -> logger.ledger().heldByPlace().get("disk") == 0);
    settle(logger);
    assertThat(api.stored()).hasSizeGreaterThan(80);
    assertThat(logger.ledger().lost()).isZero();
  }

  private void refusesTheFirst(int bad) {
    api.answers(
        events ->
            Events.keys(events).stream().anyMatch(key -> Integer.parseInt(key.substring(2)) < bad)
                ? Answer.rejected("HTTP 400")
                : Answer.delivered());
  }

  @Test
  void manyBadEventsInARowOpenNoBreakerWhileTheApiAcceptsOthers() {
    api.waitsFor(held);
    AsyncEventLogger logger = spilling(b -> b.batchSize(50));
    logger.log(Events.event("e-99")); // keeps the sender, so that the others make one batch
    Eventually.await("asked", () -> !api.requests().isEmpty());
    logger.log(Events.events("e", 50));
    refusesTheFirst(25);
    held.countDown();
    settle(logger);

    assertThat(api.stored()).hasSize(26);
    assertThat(logger.ledger().heldByPlace().get("quarantine")).isEqualTo(25);
    assertThat(logger.circuitState()).isEqualTo(CircuitBreaker.State.CLOSED);
  }

  @Test
  void norDoManyOnDisk() {
    api.isDown();
    AsyncEventLogger logger =
        spilling(
            b ->
                b.maxRetries(0)
                    .circuitBreakerThreshold(1000)
                    .circuitBreakerReset(Duration.ofDays(1))
                    .replayIntervalMs(1000));
    logger.log(Events.events("e", 50));
    settle(logger);
    refusesTheFirst(25);

    passUntil("set aside", () -> logger.ledger().heldByPlace().get("quarantine") == 25);

    assertThat(api.stored()).hasSize(25);
    assertThat(logger.circuitState()).isEqualTo(CircuitBreaker.State.CLOSED);
  }
}
