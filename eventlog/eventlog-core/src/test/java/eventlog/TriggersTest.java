package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.Answer;
import holdfast.breaker.CircuitBreaker;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The five situations in which an event goes to disk, or is lost if there is none. */
class TriggersTest extends LoggerFixture {

  @Nested
  class QueueFull {
    @Test // trigger 1
    void theEventGoesToDisk() {
      CountDownLatch latch = new CountDownLatch(1);
      AsyncEventLogger logger = blocked(latch, true);

      assertThat(logger.log(Events.event("over"))).isTrue();
      Eventually.await("on disk", () -> logger.metrics().eventsSpilled() == 1);

      assertThat(lines(ACTIVE)).singleElement().asString().contains("\"idempotencyKey\":\"over\"");
      assertThat(logger.metrics().eventsQueued()).isEqualTo(2);
      latch.countDown();
    }

    @Test // trigger 1, spillover off
    void theEventIsLostIfSpilloverIsOff() {
      CountDownLatch latch = new CountDownLatch(1);
      AsyncEventLogger logger = blocked(latch, false);

      assertThat(logger.log(Events.event("over"))).isFalse();

      assertThat(losses.told()).containsExactly("over queue_full");
      assertThat(logger.metrics().eventsFailed()).isEqualTo(1);
      latch.countDown();
    }

    private AsyncEventLogger blocked(CountDownLatch latch, boolean spills) {
      api.waitsFor(latch);
      AsyncEventLogger logger =
          logger(b -> b.queueCapacity(1).batchSize(1).spilloverPath(spills ? directory : null));
      logger.log(Events.event("sending"));
      Eventually.await("in hand", () -> api.requests().size() == 1);
      assertThat(logger.log(Events.event("waiting"))).isTrue();
      return logger;
    }
  }

  @Nested
  class RetriesExhausted {
    @Test // trigger 2
    void theEventGoesToDiskAfterTheFirstAttemptAndThreeRetries() {
      api.isDown();
      AsyncEventLogger logger = spilling(b -> b.circuitBreakerThreshold(100));
      logger.log(Events.event("unlucky"));

      passUntil("on disk", () -> lines(ACTIVE).size() == 1);

      assertThat(api.requests()).hasSize(4);
      assertThat(losses.told()).isEmpty();
    }

    @Test // trigger 2, spillover off
    void theEventIsLostIfSpilloverIsOff() {
      api.isDown();
      AsyncEventLogger logger = logger(b -> b.circuitBreakerThreshold(100).maxRetries(2));
      logger.log(Events.event("unlucky"));

      passUntil("told", () -> losses.told().size() == 1);

      assertThat(losses.told()).containsExactly("unlucky retries_exhausted");
      assertThat(api.requests()).hasSize(3);
    }
  }

  @Nested
  class CircuitBreakerOpen {
    @Test // trigger 3
    void eventsGoToDiskWithoutARequest() {
      api.isDown();
      AsyncEventLogger logger = spilling(b -> b.circuitBreakerThreshold(1).maxRetries(0));
      logger.log(Events.event("first"));
      Eventually.await("open", () -> logger.circuitState() == CircuitBreaker.State.OPEN);
      int requests = api.requests().size();

      logger.log(Events.events("later", 3));
      Eventually.await("on disk", () -> lines(ACTIVE).size() == 4);

      assertThat(api.requests()).hasSize(requests);
      assertThat(logger.metrics().circuitBreakerOpen()).isTrue();
    }

    @Test // spillover off
    void eventsWaitInTheQueueIfSpilloverIsOff() {
      api.isDown();
      AsyncEventLogger logger = logger(b -> b.circuitBreakerThreshold(1));
      logger.log(Events.event("first"));
      Eventually.await("open", () -> logger.circuitState() == CircuitBreaker.State.OPEN);

      logger.log(Events.events("later", 3));
      api.isUp();
      passUntil("delivered", () -> logger.metrics().eventsSent() == 4);

      assertThat(api.stored()).contains("first", "later-0", "later-1", "later-2");
      assertThat(losses.told()).isEmpty();
    }

    @Test // spillover off, no room to wait
    void anEventThatFindsNoRoomToWaitIsLost() throws InterruptedException {
      CountDownLatch inside = new CountDownLatch(1);
      CountDownLatch latch = new CountDownLatch(1);
      api.answers(
          events -> {
            inside.countDown();
            latch.await();
            return Answer.broken("401");
          });
      AsyncEventLogger logger = logger(b -> b.queueCapacity(1).batchSize(1));
      logger.log(Events.event("in-hand"));
      inside.await();
      logger.log(Events.event("waiting"));

      latch.countDown();
      Eventually.await("told", () -> losses.told().size() == 1);

      assertThat(losses.told()).containsExactly("in-hand circuit_open");
    }
  }

  @Nested
  class RetryRequeueFailed {
    @Test // trigger 4
    void theEventGoesToDisk() {
      CountDownLatch latch = new CountDownLatch(1);
      AsyncEventLogger logger = fullWhenTheRetryFires(latch, true);

      passUntil("on disk", () -> lines(ACTIVE).size() == 1);

      assertThat(lines(ACTIVE).get(0)).contains("\"idempotencyKey\":\"again\"");
      assertThat(logger.metrics().eventsFailed()).isZero();
      latch.countDown();
    }

    @Test // trigger 4, spillover off
    void theEventIsLostIfSpilloverIsOff() {
      CountDownLatch latch = new CountDownLatch(1);
      fullWhenTheRetryFires(latch, false);

      passUntil("told", () -> losses.told().size() == 1);

      assertThat(losses.told()).containsExactly("again retry_requeue_failed");
      latch.countDown();
    }

    private AsyncEventLogger fullWhenTheRetryFires(CountDownLatch latch, boolean spills) {
      api.answers(
          events -> {
            if (Events.keys(events).contains("again")) {
              return Answer.later("once more", null);
            }
            latch.await();
            return Answer.delivered();
          });
      AsyncEventLogger logger =
          logger(b -> b.queueCapacity(1).batchSize(1).spilloverPath(spills ? directory : null));
      logger.log(Events.event("again"));
      Eventually.await("waiting", () -> logger.ledger().heldByPlace().get("retry") == 1);
      logger.log(Events.event("blocking"));
      Eventually.await("in hand", () -> api.requests().size() == 2);
      logger.log(Events.event("filling"));
      return logger;
    }
  }

  @Nested
  class ShutdownStragglers {
    @Test // trigger 5
    void theQueueAndPendingRetriesGoToDisk() {
      AsyncEventLogger logger = withStragglers(true);

      logger.shutdown();

      assertThat(lines(ACTIVE)).hasSize(4);
      assertThat(losses.told()).isEmpty();
      assertBalanced(logger);
      assertThat(logger.ledger().heldByPlace().get("disk")).isEqualTo(4);
    }

    @Test // trigger 5, spillover off
    void theyAreLostIfSpilloverIsOff() {
      AsyncEventLogger logger = withStragglers(false);

      logger.shutdown();

      assertThat(losses.told())
          .containsExactlyInAnyOrder(
              "retry shutdown_pending_retry",
              "stuck retry_executor_rejected",
              "queued-0 shutdown_in_progress",
              "queued-1 shutdown_in_progress");
      assertBalanced(logger);
    }

    /** One event waits to be tried again, one is in a request that never ends, two are queued. */
    private AsyncEventLogger withStragglers(boolean spills) {
      api.isDown();
      AsyncEventLogger logger =
          logger(
              b ->
                  b.batchSize(1)
                      .closeTimeout(Duration.ofMillis(50))
                      .spilloverPath(spills ? directory : null));
      logger.log(Events.event("retry"));
      Eventually.await("waiting", () -> logger.ledger().heldByPlace().get("retry") == 1);
      api.waitsFor(new CountDownLatch(1));
      logger.log(Events.event("stuck"));
      Eventually.await("in hand", () -> api.requests().size() == 2);
      logger.log(Events.events("queued", 2));
      return logger;
    }
  }
}
