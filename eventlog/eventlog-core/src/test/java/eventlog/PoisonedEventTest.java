package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.Answer;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An event for which the API fails does not hold up those behind it; an outage harms no event. */
class PoisonedEventTest extends LoggerFixture {

  private AsyncEventLogger withOnDisk(List<EventLogEntry> events, int batchSize, int threshold) {
    api.answers(batch -> Answer.broken("HTTP 401"));
    AsyncEventLogger logger =
        spilling(
            b ->
                b.batchSize(batchSize)
                    .circuitBreakerThreshold(threshold)
                    .circuitBreakerReset(Duration.ofSeconds(3))
                    .maxReplayTries(4)
                    .replayIntervalMs(1000));
    logger.log(events);
    Eventually.await("on disk", () -> lines(ACTIVE).size() == events.size());
    return logger;
  }

  private void failsFor(String... keys) {
    api.answers(
        events ->
            Events.keys(events).stream().anyMatch(List.of(keys)::contains)
                ? Answer.later("HTTP 500", null)
                : Answer.delivered());
  }

  @ParameterizedTest
  @CsvSource({"50,5", "50,1", "5,2", "1,5", "1,1"})
  void itIsSetAsideAndTheOthersAreDeliveredWithoutLiveEvents(int batchSize, int threshold) {
    AsyncEventLogger logger = withOnDisk(Events.events("e", 20), batchSize, threshold);
    failsFor("e-0", "e-13");

    passUntil("replayed", () -> logger.metrics().eventsReplayed() == 18);
    passUntil("set aside", () -> logger.ledger().heldByPlace().get("quarantine") == 2);

    assertThat(lines(QUARANTINE))
        .hasSize(2)
        .allSatisfy(
            line ->
                assertThat(line)
                    .contains("\"reason\":\"failed_alone\"")
                    .contains("HTTP 500; it failed alone 4 times while the API accepted other"));
    assertThat(api.stored()).contains("e-1", "e-19").doesNotContain("e-0", "e-13");
    settle(logger);
    assertThat(logger.ledger().lost()).isZero();
    assertBalanced(logger);
  }

  @Test
  void aLongOutageSetsNothingAside() {
    AsyncEventLogger logger = withOnDisk(Events.events("e", 20), 5, 5);
    api.isDown();
    int before = api.requests().size();

    passUntil("asked often", () -> api.requests().size() > before + 30);

    assertThat(logger.ledger().heldByPlace().get("quarantine")).isZero();
    api.isUp();
    passUntil("replayed", () -> logger.metrics().eventsReplayed() == 20);
    assertThat(lines(QUARANTINE)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 50})
  void anOutageThatIsOverHasRepeatedNothing(int batchSize) {
    AsyncEventLogger logger = withOnDisk(Events.events("e", 20), batchSize, 5);
    for (int outages = 1; outages <= 3; outages++) {
      api.isDown();
      int before = api.requests().size();
      passUntil("asked often", () -> api.requests().size() > before + 15);
      api.answers(batch -> Answer.broken("HTTP 401"));
      logger.log(Events.events("more-" + outages, 5));
      int onDisk = 20 + 5 * outages;
      Eventually.await("on disk", () -> lines(ACTIVE).size() + lines(REPLAY).size() == onDisk);
    }

    api.isUp();
    passUntil("replayed", () -> logger.metrics().eventsReplayed() == 35);

    assertThat(api.stored()).hasSize(35).doesNotHaveDuplicates();
    assertBalanced(logger);
  }

  @Test
  void anEventAloneIsSetAsideOnlyWhenTheApiAcceptsLiveEvents() {
    AsyncEventLogger logger = withOnDisk(List.of(Events.event("alone")), 50, 1000);
    failsFor("alone");
    int before = api.requests().size();

    passUntil("asked often", () -> api.requests().size() > before + 1);
    for (int i = 0; i < 300; i++) {
      time.advance(Duration.ofMillis(100));
    }
    assertThat(logger.ledger().heldByPlace().get("quarantine")).isZero();

    passUntil(
        "set aside",
        () -> {
          logger.log(Events.event("live"));
          return logger.ledger().heldByPlace().get("quarantine") == 1;
        });
    assertThat(logger.ledger().lost()).isZero();
  }

  @Test
  void anEventAloneInTheReplayFileDoesNotHoldUpThoseThatCameToDiskLater() {
    AsyncEventLogger logger = withOnDisk(List.of(Events.event("alone")), 50, 1000);
    failsFor("alone");
    int before = api.requests().size();
    passUntil("asked", () -> api.requests().size() > before);
    api.answers(batch -> Answer.broken("HTTP 401"));
    logger.log(Events.events("later", 5));
    Eventually.await("on disk", () -> lines(ACTIVE).size() == 5);
    assertThat(lines(REPLAY)).hasSize(1);

    failsFor("alone");

    passUntil("all dealt with", () -> logger.ledger().heldByPlace().get("disk") == 0);
    assertThat(logger.ledger().heldByPlace().get("quarantine")).isEqualTo(1);
    assertThat(api.stored()).contains("later-0", "later-4").doesNotContain("alone");
    assertThat(logger.ledger().lost()).isZero();
    assertBalanced(logger);
  }

  @Test
  void oneAcceptedLiveEventBetweenTwoPassesIsEnoughForATry() throws InterruptedException {
    failsFor("alone");
    AsyncEventLogger logger =
        spilling(
            b ->
                b.maxRetries(0)
                    .circuitBreakerThreshold(1000)
                    .maxReplayTries(4)
                    .replayIntervalMs(1000));
    logger.log(Events.event("alone"));
    settle(logger);

    for (int i = 0; i < 8; i++) {
      logger.log(Events.event("live-" + i));
      int sent = i + 1;
      Eventually.await("sent", () -> logger.metrics().eventsSent() == sent);
      pass(Duration.ofSeconds(15), 4);
    }

    assertThat(logger.ledger().heldByPlace().get("quarantine")).isEqualTo(1);
    assertThat(logger.ledger().lost()).isZero();
  }
}
