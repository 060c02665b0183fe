package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.Answer;
import holdfast.ledger.LedgerSnapshot;
import holdfast.testkit.threads.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** While events go to the API, to the disk and back, no more is in transit than is documented. */
@Timeout(120)
class LedgerUnderLoadTest {
  private static final int THREADS = 4;
  private static final int SENDERS = 3;
  private static final int BATCH = 50;
  private static final int REPLAY_BATCH = 70;
  private static final int OF_THE_SPILL_WRITER = 2_048;
  private static final int MOST = SENDERS * BATCH + REPLAY_BATCH + OF_THE_SPILL_WRITER + THREADS;
  private static final int READINGS = 2_000;

  /** Requests that succeed, then as many that fail, and so on. */
  private static final int IN_A_ROW = 20;

  @TempDir Path directory;

  private final AtomicInteger requests = new AtomicInteger();
  private volatile boolean stopping;

  private Answer answer() {
    boolean up = stopping || requests.getAndIncrement() / IN_A_ROW % 2 == 0;
    if (!up) {
      throw new IllegalStateException("the API is down");
    }
    return Answer.delivered();
  }

  private List<Thread> logging(AsyncEventLogger logger) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      String prefix = i + "-";
      Thread thread =
          new Thread(
              () -> {
                for (int k = 0; !stopping; k++) {
                  logger.log(Events.event(prefix + k));
                }
              });
      thread.start();
      threads.add(thread);
    }
    return threads;
  }

  @Test
  void whatIsInTransitIsNeverMoreThanTheLimit() throws Exception {
    AsyncEventLogger logger =
        AsyncEventLogger.builder()
            .client(events -> answer())
            .spilloverPath(directory)
            .queueCapacity(1_000)
            .senderThreads(SENDERS)
            .batchSize(BATCH)
            .maxRetries(0)
            .circuitBreakerReset(Duration.ofMillis(5))
            .replayInterval(Duration.ofMillis(5))
            .replayBatchSize(REPLAY_BATCH)
            .maxSpilloverEvents(20_000)
            .registerShutdownHook(false)
            .build();
    List<Thread> threads = logging(logger);
    try {
      for (int i = 0; i < READINGS; i++) {
        LedgerSnapshot ledger = logger.ledger();
        assertThat(ledger.inTransit()).as(ledger.toLine()).isBetween(0L, (long) MOST);
      }
    } finally {
      stopping = true;
      for (Thread thread : threads) {
        thread.join();
      }
    }
    Eventually.await("nothing in transit", () -> logger.ledger().inTransit() == 0);
    logger.close();
    LedgerSnapshot end = logger.ledger();
    assertThat(end.isAccountedFor()).as(end.toLine()).isTrue();
    assertThat(end.inTransit()).isZero();
  }
}
