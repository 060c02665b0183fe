package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.Answer;
import holdfast.breaker.CircuitBreaker;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An API that refuses everything with 400 is an outage: it is not asked for each event. */
class RefusingApiTest extends LoggerFixture {

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
}
