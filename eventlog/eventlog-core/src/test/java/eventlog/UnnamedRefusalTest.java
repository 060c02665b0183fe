package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.Answer;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** An API that refuses some events of a request for good and does not say which. */
class UnnamedRefusalTest extends LoggerFixture {

  private AsyncEventLogger withBatchOnDisk(int events) {
    api.answers(batch -> Answer.broken("HTTP 401"));
    AsyncEventLogger logger =
        spilling(b -> b.circuitBreakerReset(Duration.ofSeconds(3)).replayIntervalMs(1000));
    logger.log(Events.events("e", events));
    settle(logger);
    return logger;
  }

  @Test
  void theyAreCountedAsLostAndNothingIsSentAgain() throws InterruptedException {
    api.answers(batch -> Answer.partlyRefused(2, "too old"));
    AsyncEventLogger logger = spilling(b -> b.maxBatchWait(Duration.ofSeconds(60)).batchSize(5));

    logger.log(Events.events("e", 5));
    settle(logger);

    assertThat(api.requests()).hasSize(1);
    assertThat(logger.ledger().delivered()).isEqualTo(3);
    assertThat(logger.ledger().lostByReason()).containsEntry("rejected_by_api", 2L);
    assertThat(losses.told()).isEmpty();
    Eventually.await(
        "logged",
        () ->
            log.messages(Level.WARNING).stream()
                .anyMatch(line -> line.contains("count=2 problem=too old; correct")));
    assertBalanced(logger);
  }

  @Test
  void theyAreCountedAsLostWhenSentFromDisk() {
    AsyncEventLogger logger = withBatchOnDisk(5);
    api.answers(batch -> Answer.partlyRefused(2, "too old"));

    passUntil("replayed", () -> logger.metrics().eventsReplayed() == 3);
    settle(logger);

    assertThat(logger.ledger().lostByReason()).containsEntry("rejected_by_api", 2L);
    assertThat(api.requests().stream().filter(List.of("e-0", "e-1", "e-2", "e-3", "e-4")::equals))
        .hasSizeLessThanOrEqualTo(2); // one was refused with 401
    assertBalanced(logger);
  }

  @Test
  void aRequestThatIsRefusedAsAWholeIsSetAside() throws InterruptedException {
    api.answers(batch -> Answer.partlyRefused(batch.size(), "too old"));
    AsyncEventLogger logger = spilling(b -> b.maxBatchWait(Duration.ofSeconds(60)).batchSize(5));

    logger.log(Events.events("e", 5));
    settle(logger);

    assertThat(api.requests()).hasSize(1);
    assertThat(lines(QUARANTINE)).hasSize(5).allMatch(line -> line.contains("too old"));
    assertThat(logger.ledger().lost()).isZero();
  }

  @Test
  void anEventThatIsRefusedAloneIsSetAsideAlsoFromDisk() {
    AsyncEventLogger logger = withBatchOnDisk(1);
    api.answers(batch -> Answer.partlyRefused(1, "too old"));

    passUntil("set aside", () -> lines(QUARANTINE).size() == 1);
    settle(logger);

    assertThat(lines(QUARANTINE)).allMatch(line -> line.contains("too old"));
    assertThat(logger.ledger().lost()).isZero();
  }
}
