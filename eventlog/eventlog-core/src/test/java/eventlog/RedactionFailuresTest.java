package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.Answer;
import holdfast.ledger.LedgerSnapshot;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A redaction that fails: the event is lost or set aside, and nobody sees what it held. */
class RedactionFailuresTest extends RedactionFixture {

  private static EventLogEntry fails(EventLogEntry event) {
    if (event.idempotencyKey().startsWith("bad")) {
      throw new IllegalStateException("cannot handle " + event.requestPayload());
    }
    return event;
  }

  private void assertWithheld() {
    assertThat(told)
        .isNotEmpty()
        .allSatisfy(
            event -> {
              assertThat(event.idempotencyKey()).startsWith("bad");
              assertThat(event.processName()).isEqualTo("PlaceOrder");
              assertThat(event.summary()).contains("withheld");
              assertThat(
                      Stream.of(
                          event.accountId(),
                          event.metadata(),
                          event.identifiers(),
                          event.requestPayload(),
                          event.responsePayload(),
                          event.errorMessage(),
                          event.endpoint()))
                  .containsOnlyNulls();
            });
    assertThat(log.messages(Level.WARNING))
        .filteredOn(line -> line.startsWith("eventlog redaction failed"))
        .hasSize(1)
        .first()
        .asString()
        .contains("java.lang.IllegalStateException")
        .doesNotContain(SECRET);
  }

  @Test
  void ifItFailsTheEventIsLostAndNobodySeesWhatItHeld() {
    remember(Answer.delivered());
    AsyncEventLogger logger =
        logger(telling(b -> b.redaction(RedactionFailuresTest::fails).batchSize(10)));
    logger.log(List.of(secret("good-1"), secret("bad-1"), secret("good-2"), secret("bad-2")));
    Eventually.await(
        "all settled",
        () -> {
          LedgerSnapshot ledger = logger.ledger();
          return ledger.isAccountedFor() && ledger.held() == 0;
        });

    assertThat(Events.keys(List.copyOf(sent))).containsExactly("good-1", "good-2");
    assertThat(logger.ledger().lostByReason()).containsEntry("redaction_failed", 2L);
    Eventually.await("told", () -> told.size() == 2);
    assertWithheld();
    assertBalanced(logger);
  }

  @Test
  void ifItFailsOnTheWayToDiskNothingIsWritten() throws IOException {
    CountDownLatch open = new CountDownLatch(1);
    api.waitsFor(open);
    AsyncEventLogger logger =
        spilling(
            telling(b -> b.redaction(RedactionFailuresTest::fails).queueCapacity(2).batchSize(1)));
    try {
      logger.log(Events.events("good", 2));
      Eventually.await(
          "some bad ones were to be written",
          () -> {
            logger.log(secret("bad"));
            return logger.ledger().lostByReason().get("redaction_failed") > 2;
          });
      assertThat(disk()).doesNotContain(SECRET);
    } finally {
      open.countDown();
    }
    logger.close();
    assertWithheld();
    assertThat(disk()).doesNotContain(SECRET);
    assertThat(logger.ledger().isAccountedFor()).as(logger.ledger().toLine()).isTrue();
  }

  @Test
  void anErrorOrNullIsAFailureLikeAnyOther() {
    AsyncEventLogger logger =
        logger(
            b ->
                b.redaction(
                    event -> {
                      if (event.idempotencyKey().equals("error")) {
                        throw new StackOverflowError();
                      }
                      return null;
                    }));
    logger.log(Events.event("error"));
    logger.log(Events.event("null"));
    Eventually.await("told", () -> losses.told().size() == 2);

    assertThat(losses.told()).containsExactly("error redaction_failed", "null redaction_failed");
    assertThat(api.requests()).isEmpty();
    assertBalanced(logger);
  }

  @Test
  void ifItFailsForALineOnDiskTheLineIsSetAsideAndTheOthersAreSent() {
    api.answers(events -> Answer.broken("401"));
    AsyncEventLogger before = spilling(b -> {});
    before.log(List.of(Events.event("good-1"), Events.event("bad"), Events.event("good-2")));
    settle(before);
    before.close();

    api.isUp();
    AsyncEventLogger logger =
        spilling(b -> b.redaction(RedactionFailuresTest::fails).replayIntervalMs(100));
    passUntil("replayed", () -> logger.metrics().eventsReplayed() == 2);

    assertThat(api.stored()).containsExactly("good-1", "good-2");
    settle(logger);
    assertThat(lines(QUARANTINE))
        .singleElement()
        .asString()
        .startsWith("{\"reason\":\"redaction_failed\",");
    assertThat(logger.ledger().lost()).isZero();
  }

  @Test
  void whatARedactionLogsItselfIsRefused() {
    AsyncEventLogger[] itself = new AsyncEventLogger[1];
    CountDownLatch ready = new CountDownLatch(1);
    AsyncEventLogger logger =
        logger(
            b ->
                b.redaction(
                    event -> {
                      try {
                        ready.await();
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                      assertThat(itself[0].log(Events.event("inner"))).isFalse();
                      return event;
                    }));
    itself[0] = logger;
    logger.log(Events.event("outer"));
    ready.countDown();
    Eventually.await("sent", () -> api.stored().equals(List.of("outer")));

    assertThat(logger.ledger().lostByReason()).containsEntry("logged_by_logger", 1L);
    assertBalanced(logger);
  }
}
