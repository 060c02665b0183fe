package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.Answer;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** Every reason for a loss that {@link TriggersTest} does not show. */
class ReasonsTest extends LoggerFixture {

  /** A bean that does not want to be looked at. */
  public static final class Hostile {
    @SuppressWarnings("DoNotCallSuggester")
    public String getName() {
      throw new IllegalStateException("do not look");
    }
  }

  /** A bean that can be looked at once. */
  public static final class ReadOnce {
    private boolean read;

    public synchronized String getName() {
      if (read) {
        throw new IllegalStateException("read already");
      }
      read = true;
      return "once";
    }
  }

  /** A bean one of whose classes is not there. */
  public static final class Incomplete {
    @SuppressWarnings("DoNotCallSuggester")
    public String getName() {
      throw new NoClassDefFoundError("missing");
    }
  }

  @Test
  void theSpellingsAreThoseOfTheDocument() {
    assertThat(Arrays.stream(LossReason.values()).map(LossReason::code))
        .containsExactly(
            "queue_full",
            "retries_exhausted",
            "retry_requeue_failed",
            "retry_executor_rejected",
            "shutdown_in_progress",
            "shutdown_pending_retry",
            "spillover_queue_full",
            "spillover_max_events",
            "spillover_max_size",
            "rejected_by_api",
            "spillover_io_error",
            "entry_too_large",
            "not_serializable",
            "quarantine_full",
            "circuit_open",
            "redaction_failed",
            "logged_by_logger");
  }

  /** A loss is counted a moment before the callback is told. */
  private void awaitTold(AsyncEventLogger logger) {
    Eventually.await("told", () -> losses.told().size() == logger.metrics().eventsFailed());
  }

  @Test
  void shutdownInProgress() {
    AsyncEventLogger logger = logger(b -> {});
    logger.shutdown();

    assertThat(logger.log(Events.event("late"))).isFalse();

    assertThat(losses.told()).containsExactly("late shutdown_in_progress");
    assertBalanced(logger);
  }

  @Test
  void spilloverMaxEvents() {
    api.isDown();
    AsyncEventLogger logger =
        spilling(b -> b.circuitBreakerThreshold(1).maxRetries(0).maxSpilloverEvents(2));
    logger.log(Events.event("a"));
    Eventually.await("open", () -> logger.metrics().circuitBreakerOpen());
    logger.log(Events.event("b"));
    Eventually.await("on disk", () -> logger.metrics().eventsSpilled() == 2);

    logger.log(Events.event("c"));
    Eventually.await("lost", () -> logger.metrics().eventsFailed() == 1);
    awaitTold(logger);

    assertThat(losses.told()).containsExactly("c spillover_max_events");
    assertBalanced(logger);
  }

  @Test
  void spilloverMaxSize() {
    api.isDown();
    AsyncEventLogger logger =
        spilling(b -> b.circuitBreakerThreshold(1).maxRetries(0).maxSpilloverSizeBytes(700));
    logger.log(Events.event("a"));
    Eventually.await("open", () -> logger.metrics().circuitBreakerOpen());

    logger.log(Events.events("b", 3));
    settle(logger);
    awaitTold(logger);

    assertThat(losses.told()).isNotEmpty().allMatch(told -> told.endsWith(" spillover_max_size"));
    assertThat(lines(ACTIVE)).hasSize(4 - losses.told().size()).isNotEmpty();
    assertThat(directory.resolve(ACTIVE).toFile().length()).isLessThanOrEqualTo(700);
    assertBalanced(logger);
  }

  @Test
  void rejectedByApi() {
    api.answers(events -> Answer.rejected("400"));
    AsyncEventLogger logger = logger(b -> {});

    logger.log(Events.event("guilty"));
    settle(logger);
    awaitTold(logger);

    assertThat(losses.told()).containsExactly("guilty rejected_by_api");
  }

  @Test
  void entryTooLarge() {
    AsyncEventLogger logger = logger(b -> b.maxEntryBytes(1000));
    logger.log(Events.builder("large").requestPayload("x".repeat(1000)).build());
    logger.log(Events.event("small"));
    settle(logger);
    awaitTold(logger);

    assertThat(losses.told()).containsExactly("large entry_too_large");
    assertThat(api.stored()).containsExactly("small");
  }

  @Test
  void notSerializable() {
    Map<String, Object> endless = new HashMap<>();
    endless.put("self", endless);
    Object hostile = new Hostile();
    AsyncEventLogger logger = logger(b -> {});

    logger.log(Events.builder("endless").metadata(endless).build());
    logger.log(Events.builder("hostile").metadata(Map.of("it", hostile)).build());
    logger.log(Events.event("fine"));
    settle(logger);
    awaitTold(logger);

    assertThat(losses.told())
        .containsExactlyInAnyOrder("endless not_serializable", "hostile not_serializable");
    assertThat(api.stored()).containsExactly("fine");
  }

  @Test
  void notSerializableOnTheWayToDisk() {
    CountDownLatch latch = new CountDownLatch(1);
    api.waitsFor(latch);
    AsyncEventLogger logger = spilling(b -> b.queueCapacity(2).batchSize(1).maxEntryBytes(1000));
    logger.log(Events.event("in-hand"));
    Eventually.await("in hand", () -> api.requests().size() == 1);
    logger.log(Events.events("queued", 2));
    Map<String, Object> endless = new HashMap<>();
    endless.put("self", endless);

    logger.log(Events.builder("endless").metadata(endless).build());
    logger.log(Events.builder("large").requestPayload("x".repeat(1000)).build());
    Eventually.await("told", () -> losses.told().size() == 2);
    latch.countDown();
    settle(logger);
    awaitTold(logger);

    assertThat(losses.told()).containsExactly("endless not_serializable", "large entry_too_large");
    assertThat(lines(ACTIVE)).isEmpty();
  }

  @Test
  void notSerializableOnTheWayToQuarantine() {
    api.answers(events -> Answer.rejected("400"));
    AsyncEventLogger logger = spilling(b -> {});

    logger.log(Events.builder("once").metadata(Map.of("it", new ReadOnce())).build());
    logger.log(Events.event("refused"));
    settle(logger);
    awaitTold(logger);

    assertThat(losses.told()).containsExactly("once not_serializable");
    assertThat(lines(QUARANTINE)).hasSize(1);
  }

  @Test
  void notSerializableIfItThrowsAnError() {
    AsyncEventLogger logger = spilling(b -> {});

    logger.log(Events.builder("incomplete").metadata(Map.of("it", new Incomplete())).build());
    logger.log(Events.event("fine"));
    settle(logger);
    awaitTold(logger);

    assertThat(losses.told()).containsExactly("incomplete not_serializable");
    assertThat(api.stored()).containsExactly("fine");
  }

  @Test
  void theFirstLossForAReasonIsLogged() {
    AsyncEventLogger logger = logger(b -> {});
    logger.shutdown();

    logger.log(Events.events("late", 3));

    assertThat(log.messages(Level.WARNING))
        .containsExactly(
            "eventlog lost an event, the first for this reason=shutdown_in_progress; log before"
                + " close(), and set spilloverPath for events that the API does not take in time");
  }

  @Test
  void quarantineFull() {
    api.answers(events -> Answer.rejected("400"));
    AsyncEventLogger logger = spilling(b -> b.maxQuarantineSizeBytes(600).batchSize(1));

    logger.log(Events.events("guilty", 3));
    settle(logger);
    awaitTold(logger);

    assertThat(lines(QUARANTINE)).hasSize(1);
    assertThat(losses.told())
        .containsExactly("guilty-1 quarantine_full", "guilty-2 quarantine_full");
    assertBalanced(logger);
  }

  @Test
  void spilloverIoErrorWhenTheDiskFailsToTheEnd() throws IOException {
    api.isDown();
    AsyncEventLogger logger = spilling(b -> b.circuitBreakerThreshold(1).maxRetries(0));
    Files.createDirectory(directory.resolve(ACTIVE)); // no file can be opened there

    logger.log(Events.event("a"));
    Eventually.await("open", () -> logger.metrics().circuitBreakerOpen());
    logger.shutdown();

    assertThat(losses.told()).containsExactly("a spillover_io_error");
    assertBalanced(logger);
  }

  @Test
  void spilloverQueueFull() {
    CountDownLatch told = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    api.isDown();
    Losses all = new Losses();
    // A callback that waits keeps the writer from taking more.
    AsyncEventLogger logger =
        spilling(
            b ->
                b.queueCapacity(1)
                    .circuitBreakerThreshold(1)
                    .maxRetries(0)
                    .batchSize(1)
                    .maxSpilloverEvents(1)
                    .eventLossCallback(
                        (event, reason) -> {
                          all.onEventLoss(event, reason);
                          if (reason.equals("spillover_max_events")) {
                            told.countDown();
                            try {
                              goOn.await();
                            } catch (InterruptedException e) {
                              throw new IllegalStateException(e);
                            }
                          }
                        }));
    logger.log(Events.event("on-disk"));
    Eventually.await("on disk", () -> logger.metrics().eventsSpilled() == 1);
    logger.log(Events.event("blocking"));
    passUntil("told", () -> told.getCount() == 0);
    passUntil(
        "lost",
        () -> {
          logger.log(Events.event("more"));
          return all.told().contains("more spillover_queue_full");
        });
    goOn.countDown();
    logger.shutdown();

    assertBalanced(logger);
  }
}
