package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.Answer;
import holdfast.breaker.CircuitBreaker;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How answers are understood. */
class ErrorsTest extends LoggerFixture {

  @Test
  void aPartialAnswerRepeatsOnlyWhatFailed() {
    AtomicInteger requests = new AtomicInteger();
    CountDownLatch ready = new CountDownLatch(1);
    api.answers(
        events -> {
          ready.await();
          return requests.incrementAndGet() == 1 && events.size() > 2
              ? Answer.partly(List.of(new Answer.Failure(1, "full"), new Answer.Failure(99, "?")))
              : Answer.delivered();
        });
    AsyncEventLogger logger = spilling(b -> b.maxBatchWait(Duration.ofSeconds(60)).batchSize(4));
    logger.log(Events.events("e", 4));
    ready.countDown();

    passUntil("delivered", () -> logger.metrics().eventsSent() == 4);

    assertThat(api.requests()).containsExactly(List.of("e-0", "e-1", "e-2", "e-3"), List.of("e-1"));
    assertBalanced(logger);
  }

  @Test
  void theGuiltyEventOfARejectedBatchIsFoundAndSetAside() {
    api.answers(
        events ->
            Events.keys(events).contains("e-5") ? Answer.rejected("HTTP 422") : Answer.delivered());
    AsyncEventLogger logger =
        spilling(
            b -> b.maxBatchWait(Duration.ofSeconds(60)).batchSize(8).circuitBreakerThreshold(1));

    logger.log(Events.events("e", 8));
    passUntil("set aside", () -> lines(QUARANTINE).size() == 1);
    settle(logger);

    assertThat(api.stored())
        .containsExactlyInAnyOrder("e-0", "e-1", "e-2", "e-3", "e-4", "e-6", "e-7");
    assertThat(lines(QUARANTINE))
        .singleElement()
        .asString()
        .startsWith("{\"reason\":\"rejected_by_api\",\"problem\":\"HTTP 422\",\"at\":\"2026-")
        .contains("\"event\":{\"correlationId\":\"order-42\"", "\"idempotencyKey\":\"e-5\"");
    assertThat(logger.circuitState()).isEqualTo(CircuitBreaker.State.CLOSED);
    assertThat(losses.told()).isEmpty();
    assertThat(logger.metrics().eventsSpilled()).isZero();
    assertBalanced(logger);
  }

  @Test
  void aBrokenDestinationOpensTheBreakerAtOnceAndThrowsNothingAway() {
    api.answers(events -> Answer.broken("HTTP 401"));
    AsyncEventLogger logger = spilling(b -> {});
    logger.log(Events.event("a"));
    Eventually.await("on disk", () -> lines(ACTIVE).size() == 1);

    assertThat(api.requests()).hasSize(1);
    assertThat(logger.circuitState()).isEqualTo(CircuitBreaker.State.OPEN);
    api.isUp();
    passUntil("replayed", () -> logger.metrics().eventsReplayed() == 1);
    assertThat(api.stored()).containsExactly("a");
  }

  @Test
  void theAnswerOfTheApiCannotForgeALineOfTheLog() {
    api.answers(events -> Answer.broken("HTTP 401\r\nERROR forged\u2028\u202E"));
    AsyncEventLogger logger = spilling(b -> {});
    logger.log(Events.event("a"));
    Eventually.await("on disk", () -> lines(ACTIVE).size() == 1);
    assertThat(log.messages(Level.WARNING))
        .contains(
            "eventlog destination broken, the Event Log API refuses all events; they are kept"
                + " address=FakeApi problem=HTTP 401\\u000D\\nERROR forged\\u2028\\u202E;"
                + " correct the API key or token (HTTP 401, 403, 407) or the address of the API");
  }

  @Test
  void theApiIsLeftAloneForAsLongAsItAskedFor() throws InterruptedException {
    AtomicInteger requests = new AtomicInteger();
    api.answers(
        events ->
            requests.incrementAndGet() == 1
                ? Answer.later("429", Duration.ofMinutes(2))
                : Answer.delivered());
    AsyncEventLogger logger = logger(b -> {});
    logger.log(Events.event("a"));
    Eventually.await("waiting", () -> logger.ledger().heldByPlace().get("retry") == 1);

    pass(Duration.ofSeconds(119), 2);
    assertThat(api.requests()).hasSize(1);
    passUntil("delivered", () -> logger.metrics().eventsSent() == 1);
  }

  @Test
  void whileItAsksToBeLeftAloneNoOtherEventIsSentNeitherLiveNorFromDisk() throws Exception {
    api.answers(events -> Answer.later("down", null));
    AsyncEventLogger logger =
        spilling(b -> b.maxRetries(0).replayIntervalMs(1000).circuitBreakerThreshold(100));
    logger.log(Events.event("on disk"));
    Eventually.await("on disk", () -> lines(ACTIVE).size() == 1);
    api.answers(events -> Answer.later("429", Duration.ofSeconds(20)));
    logger.log(Events.event("refused"));
    Eventually.await("on disk", () -> lines(ACTIVE).size() == 2);
    int before = api.requests().size();
    api.isUp();

    logger.log(Events.events("live", 10));
    pass(Duration.ofSeconds(19), 4); // senders, retries, spill writer and replay

    assertThat(api.requests()).hasSize(before);
    assertThat(logger.queueDepth()).as("waiting in memory").isEqualTo(10);
    passUntil("delivered", () -> logger.metrics().eventsSent() == 12);
    assertBalanced(logger);
  }

  @Test
  void duringALongPauseEventsGoToDisk() {
    api.answers(events -> Answer.later("503", Duration.ofMinutes(10)));
    AsyncEventLogger logger = spilling(b -> b.maxRetries(0));
    logger.log(Events.event("refused"));
    Eventually.await("on disk", () -> lines(ACTIVE).size() == 1);

    logger.log(Events.events("live", 3));

    Eventually.await("on disk", () -> lines(ACTIVE).size() == 4);
    assertThat(api.requests()).hasSize(1);
  }

  @Test
  void liveEventsAndEventsFromDiskShareTheNumberOfRequestsInFlight() throws Exception {
    api.isDown();
    AsyncEventLogger logger =
        spilling(
            b ->
                b.maxRetries(0)
                    .senderThreads(3)
                    .batchSize(1)
                    .circuitBreakerThreshold(100)
                    .replayIntervalMs(1000));
    logger.log(Events.events("on disk", 10));
    Eventually.await("on disk", () -> lines(ACTIVE).size() == 10);
    AtomicInteger inFlight = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch three = new CountDownLatch(3);
    api.answers(
        events -> {
          most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
          three.countDown();
          three.await();
          inFlight.decrementAndGet();
          return Answer.delivered();
        });

    logger.log(Events.events("live", 200));
    passUntil("delivered", () -> logger.metrics().eventsSent() == 210);

    assertThat(most).hasValue(3);
  }

  @Test
  void theWaitDoublesUpToTheLongest() {
    api.answers(
        events -> {
          throw new IOException("connection reset");
        });
    AsyncEventLogger logger =
        logger(
            b ->
                b.maxRetries(3)
                    .baseRetryDelay(Duration.ofSeconds(1))
                    .maxRetryDelay(Duration.ofSeconds(3))
                    .circuitBreakerThreshold(100));
    logger.log(Events.event("a"));
    List<Long> waits =
        IntStream.range(0, 3)
            .mapToObj(
                i -> {
                  int before = i + 1;
                  Eventually.await("tried", () -> api.requests().size() == before);
                  Eventually.await(
                      "waiting", () -> logger.ledger().heldByPlace().get("retry") == 1);
                  long start = time.nanoTime();
                  passUntil("again", () -> api.requests().size() > before);
                  return Duration.ofNanos(time.nanoTime() - start).toMillis();
                })
            .toList();

    assertThat(waits.get(0)).isGreaterThanOrEqualTo(500);
    assertThat(waits.get(1)).isGreaterThanOrEqualTo(1000);
    assertThat(waits.get(2)).isGreaterThanOrEqualTo(1500);
  }

  @Test
  void failedRequestsInARowOpenTheBreakerAndASuccessStartsAnew() {
    AtomicInteger requests = new AtomicInteger();
    api.answers(
        events -> requests.incrementAndGet() == 3 ? Answer.delivered() : Answer.later("500", null));
    AsyncEventLogger logger =
        spilling(b -> b.batchSize(1).maxRetries(0).circuitBreakerThreshold(3));

    logger.log(Events.events("e", 5));
    settle(logger);
    assertThat(logger.circuitState()).isEqualTo(CircuitBreaker.State.CLOSED);
    logger.log(Events.event("last"));
    settle(logger);

    assertThat(logger.circuitState()).isEqualTo(CircuitBreaker.State.OPEN);
    assertThat(api.requests()).hasSize(6);
  }

  @Test
  void anExpiredBreakerRecoversWithoutTraffic() {
    api.isDown();
    AsyncEventLogger logger =
        spilling(
            b ->
                b.maxRetries(0)
                    .circuitBreakerThreshold(1)
                    .circuitBreakerReset(Duration.ofSeconds(5)));
    logger.log(Events.event("a"));
    Eventually.await("on disk", () -> lines(ACTIVE).size() == 1);
    api.isUp();

    passUntil("closed", () -> logger.circuitState() == CircuitBreaker.State.CLOSED);

    assertThat(api.stored()).containsExactly("a");
  }

  @Test
  void anOutageIsLoggedOnceWhenItBeginsAndWhenItEnds() {
    api.isDown();
    AsyncEventLogger logger =
        spilling(
            b ->
                b.maxRetries(0)
                    .circuitBreakerThreshold(1)
                    .circuitBreakerReset(Duration.ofSeconds(5)));
    logger.log(Events.event("a"));
    passUntil("asked again and again", () -> api.requests().size() == 3);
    assertThat(log.messages(Level.WARNING))
        .containsExactly(
            "eventlog breaker open, the Event Log API does not take events; they are kept until it"
                + " does address=FakeApi problem=down; check that the API works and that this"
                + " machine can reach it");
    assertThat(log.messages(Level.INFO)).isEmpty();
    api.isUp();

    passUntil("told", () -> !log.messages(Level.INFO).isEmpty());

    assertThat(log.messages(Level.INFO)).containsExactly("eventlog breaker closed address=FakeApi");
    assertThat(log.messages(Level.WARNING)).hasSize(1);
  }

  @Test
  void oneRequestCarriesABatchAndWaitsNoLongerThanAllowed() throws InterruptedException {
    AsyncEventLogger logger = logger(b -> b.batchSize(3).maxBatchWait(Duration.ofMillis(100)));
    logger.log(Events.events("full", 3));
    time.advance(Duration.ofMillis(1));
    passUntil("sent", () -> api.requests().size() == 1);
    assertThat(api.requests()).containsExactly(List.of("full-0", "full-1", "full-2"));

    logger.log(Events.event("alone"));
    Eventually.await("in hand", () -> logger.ledger().heldByPlace().get("sending") == 1);
    assertThat(api.requests()).hasSize(1);
    passUntil("sent", () -> api.requests().size() == 2);
  }
}
