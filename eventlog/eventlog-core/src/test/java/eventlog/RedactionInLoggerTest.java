package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.Answer;
import eventlog.spi.Redaction;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Wherever an event goes, what must not be seen has been taken out before. */
class RedactionInLoggerTest extends RedactionFixture {

  private static void assertClean(Iterable<EventLogEntry> events) {
    assertThat(events)
        .isNotEmpty()
        .allSatisfy(
            event -> {
              assertThat(event.requestPayload()).isEqualTo("{\"password\":\"***\",\"n\":1}");
              assertThat(event.metadata())
                  .isEqualTo(Map.of("login", Map.of("password", Redaction.MASK)));
              assertThat(event.accountId()).isEqualTo("hidden");
            });
  }

  @Test
  void whatIsSentIsRedactedOnceHoweverOftenItIsTried() {
    AtomicInteger runs = new AtomicInteger();
    remember(Answer.later("down", null));
    AsyncEventLogger logger =
        logger(
            b ->
                b.redaction(
                        event -> {
                          runs.incrementAndGet();
                          return event.toBuilder().accountId(event.accountId() + "+").build();
                        })
                    .circuitBreakerThreshold(100)
                    .maxRetries(3));
    logger.log(Events.builder("one").accountId("a").build());
    passUntil("lost", () -> losses.told().size() == 1);

    assertThat(sent).hasSize(4).allMatch(event -> "a+".equals(event.accountId()));
    assertThat(runs).hasValue(1);
    assertBalanced(logger);
  }

  @Test
  void theFileOnDiskNeverHasIt() throws IOException {
    api.answers(events -> Answer.broken("401"));
    AsyncEventLogger logger = spilling(redacting(b -> b.queueCapacity(100)));
    for (int i = 0; i < 50; i++) {
      logger.log(secret("e-" + i));
    }
    settle(logger);

    assertThat(lines(ACTIVE)).hasSize(50);
    assertThat(disk())
        .contains("{\\\"password\\\":\\\"***\\\",\\\"n\\\":1}", "\"accountId\":\"hidden\"")
        .doesNotContain(SECRET);
  }

  @Test
  void whatOverflowsTheQueueIsRedactedOnItsWayToDisk() throws IOException {
    CountDownLatch open = new CountDownLatch(1);
    api.waitsFor(open);
    AsyncEventLogger logger = spilling(redacting(b -> b.queueCapacity(4).batchSize(1)));
    try {
      for (int i = 0; i < 4; i++) {
        logger.log(secret("first-" + i));
      }
      Eventually.await(
          "spilled",
          () -> {
            logger.log(secret("more"));
            return logger.metrics().eventsSpilled() > 3;
          });
      assertThat(disk()).contains("***").doesNotContain(SECRET);
    } finally {
      open.countDown();
    }
  }

  @Test
  void theQuarantineNeverHasIt() throws IOException {
    remember(Answer.rejected("no"));
    AsyncEventLogger logger = spilling(redacting(b -> {}));
    logger.log(secret("one"));
    settle(logger);

    assertClean(sent);
    assertThat(lines(QUARANTINE)).hasSize(1);
    assertThat(disk()).contains("***").doesNotContain(SECRET);
  }

  @Test
  void whatAnEarlierProcessWroteWithoutARedactionIsRedactedBeforeItIsSent() {
    api.answers(events -> Answer.broken("401"));
    AsyncEventLogger before = spilling(b -> {});
    before.log(secret("old"));
    settle(before);
    before.close();
    assertThat(lines(ACTIVE)).singleElement().asString().contains(SECRET);

    remember(Answer.delivered());
    AsyncEventLogger logger = spilling(redacting(b -> b.replayIntervalMs(100)));
    passUntil("replayed", () -> logger.metrics().eventsReplayed() == 1);

    assertClean(sent);
  }

  @Test
  void theCallbackIsToldTheRedactedEventAlsoByTheThreadThatLogs() {
    CountDownLatch open = new CountDownLatch(1);
    api.waitsFor(open);
    AsyncEventLogger logger = logger(telling(b -> b.queueCapacity(1).batchSize(1)));
    try {
      Eventually.await("lost at once", () -> !logger.log(secret("one")));
      assertClean(told);
    } finally {
      open.countDown();
    }
    logger.close();
    assertThat(logger.log(secret("late"))).isFalse();
    assertThat(told).hasSizeGreaterThan(1);
    assertClean(told);
  }

  @Test
  void withoutACallbackALossAtOnceCostsNoRedaction() {
    AtomicInteger runs = new AtomicInteger();
    AsyncEventLogger logger =
        AsyncEventLogger.builder()
            .client(api)
            .registerShutdownHook(false)
            .redaction(
                event -> {
                  runs.incrementAndGet();
                  return event;
                })
            .build();
    logger.close();

    assertThat(logger.log(secret("late"))).isFalse();
    assertThat(runs).hasValue(0);
    assertBalanced(logger);
  }
}
