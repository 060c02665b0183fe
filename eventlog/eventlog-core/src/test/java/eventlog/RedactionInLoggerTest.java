package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.Answer;
import eventlog.spi.Redaction;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Wherever an event goes, what must not be seen has been taken out before. */
class RedactionInLoggerTest extends LoggerFixture {
  private static final String SECRET = "s3cret";

  private final Queue<EventLogEntry> sent = new ConcurrentLinkedQueue<>();
  private final Queue<EventLogEntry> told = new ConcurrentLinkedQueue<>();

  private static EventLogEntry secret(String key) {
    return Events.builder(key)
        .requestPayload("{\"password\":\"" + SECRET + "\",\"n\":1}")
        .metadata(Map.of("login", Map.of("password", SECRET)))
        .accountId("account-" + SECRET)
        .build();
  }

  private static Consumer<AsyncEventLoggerBuilder> redacting(
      Consumer<AsyncEventLoggerBuilder> more) {
    return builder -> {
      builder.redaction(
          Redaction.ofFields("password")
              .andThen(event -> event.toBuilder().accountId("hidden").build()));
      more.accept(builder);
    };
  }

  private void remember(Answer answer) {
    api.answers(
        events -> {
          sent.addAll(events);
          return answer;
        });
  }

  /** The callback keeps whole events, not their keys. */
  private Consumer<AsyncEventLoggerBuilder> telling(Consumer<AsyncEventLoggerBuilder> more) {
    return redacting(
        builder -> {
          builder.eventLossCallback((event, reason) -> told.add(event));
          more.accept(builder);
        });
  }

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

  /** Every byte of every file below the directory. */
  private String disk() throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<java.nio.file.Path> files = Files.walk(directory)) {
      for (java.nio.file.Path file : files.filter(Files::isRegularFile).toList()) {
        all.append(Files.readString(file));
      }
    }
    return all.toString();
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
        logger(telling(b -> b.redaction(RedactionInLoggerTest::fails).batchSize(10)));
    logger.log(List.of(secret("good-1"), secret("bad-1"), secret("good-2"), secret("bad-2")));
    Eventually.await("all settled", () -> logger.books().held() == 0);

    assertThat(Events.keys(List.copyOf(sent))).containsExactly("good-1", "good-2");
    assertThat(logger.books().lostByReason()).containsEntry("redaction_failed", 2L);
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
            telling(b -> b.redaction(RedactionInLoggerTest::fails).queueCapacity(2).batchSize(1)));
    try {
      logger.log(Events.events("good", 2));
      Eventually.await(
          "some bad ones were to be written",
          () -> {
            logger.log(secret("bad"));
            return logger.books().lostByReason().get("redaction_failed") > 2;
          });
      assertThat(disk()).doesNotContain(SECRET);
    } finally {
      open.countDown();
    }
    logger.close();
    assertWithheld();
    assertThat(disk()).doesNotContain(SECRET);
    assertThat(logger.books().isBalanced()).as(logger.books().toLine()).isTrue();
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
        spilling(b -> b.redaction(RedactionInLoggerTest::fails).replayIntervalMs(100));
    passUntil("replayed", () -> logger.metrics().eventsReplayed() == 2);

    assertThat(api.stored()).containsExactly("good-1", "good-2");
    settle(logger);
    assertThat(lines(QUARANTINE))
        .singleElement()
        .asString()
        .startsWith("{\"reason\":\"redaction_failed\",");
    assertThat(logger.books().lost()).isZero();
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

    assertThat(logger.books().lostByReason()).containsEntry("logged_by_logger", 1L);
    assertBalanced(logger);
  }
}
