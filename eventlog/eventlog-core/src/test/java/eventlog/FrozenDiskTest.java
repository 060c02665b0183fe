package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.Answer;
import holdfast.lifecycle.CloseReport;
import holdfast.testkit.files.FaultyFiles;
import holdfast.testkit.threads.Eventually;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A disk whose calls do not return holds up the threads that write to it, and nobody else. */
@Timeout(120)
class FrozenDiskTest extends LoggerFixture {
  private final CountDownLatch frozen = new CountDownLatch(1);
  private final CountDownLatch thawed = new CountDownLatch(1);
  private FaultyFiles disk;
  private AsyncEventLogger built;

  @AfterEach
  void thaw() {
    thawed.countDown();
    if (built != null) {
      built.close();
    }
    Eventually.await(
        "no thread writes to the directory any more",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("eventlog-spill")));
  }

  private AsyncEventLogger logger() {
    disk = disk == null ? FaultyFiles.over(directory) : disk;
    built =
        logger(
            b ->
                b.spilloverPath(disk.root())
                    .time(TimeSource.system())
                    .maxRetries(0)
                    .circuitBreakerThreshold(1000)
                    .replayInterval(Duration.ofMillis(10)));
    return built;
  }

  private void freeze() {
    disk.failWhen(
        change -> {
          frozen.countDown();
          try {
            thawed.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return false;
        },
        () -> new IOException("never"));
  }

  /** Calls on a thread that may be left behind: a call that waits for the disk would never end. */
  private static <T> T answered(Callable<T> call) throws Exception {
    return answered(call, Duration.ofSeconds(10));
  }

  private static <T> T answered(Callable<T> call, Duration within) throws Exception {
    FutureTask<T> task = new FutureTask<>(call);
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
    return task.get(within.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Test
  void ledgerMetricsFlushAndCloseAnswerInTime() throws Exception {
    api.isDown();
    AsyncEventLogger logger = logger();
    freeze();
    logger.log(Events.events("e", 3));
    frozen.await();

    // What a call may take at all, and time for a machine that is busy with other things.
    Duration quick = Duration.ofSeconds(3);
    Duration quickAndWriting = quick.plusSeconds(4); // threads get 1 s, the disk 2 s
    assertThat(answered(logger::ledger, quick).accepted()).isEqualTo(3);
    assertThat(answered(logger::metrics, quick).eventsQueued()).isEqualTo(3);
    assertThat(answered(logger::spillover, quick)).isPresent();
    assertThat(answered(() -> logger.flush(Duration.ofMillis(50)), quick)).isFalse();
    CloseReport report = answered(() -> logger.close(Duration.ofMillis(200)), quickAndWriting);

    assertThat(report.stillRunning()).isPositive();
    assertThat(answered(logger::ledger).isAccountedFor()).isTrue();
  }

  @Test
  void eventsAreDeliveredWhileARefusedOneWaitsForTheQuarantine() throws Exception {
    api.answers(
        events ->
            Events.keys(events).contains("bad") ? Answer.rejected("HTTP 400") : Answer.delivered());
    AsyncEventLogger logger = logger();
    freeze();
    logger.log(Events.event("bad"));
    frozen.await();

    logger.log(Events.events("good", 100));

    Eventually.await("delivered", () -> answered(logger::metrics).eventsSent() == 100);
    assertThat(answered(logger::ledger).heldByPlace().get("spilling")).isEqualTo(1);
    thawed.countDown();
    if (built != null) {
      built.close();
    }
    Eventually.await("set aside", () -> logger.ledger().heldByPlace().get("quarantine") == 1);
    assertBalanced(logger);
  }

  @Test
  void itIsShownAsFailingAfterFiveSeconds() throws Exception {
    api.isDown();
    disk = FaultyFiles.over(directory);
    built = logger(b -> b.spilloverPath(disk.root()).maxRetries(0).circuitBreakerThreshold(1000));
    AsyncEventLogger logger = built;
    freeze();
    logger.log(Events.events("e", 3));
    frozen.await();
    assertThat(logger.spillover().orElseThrow().failing()).isFalse();

    time.advance(Duration.ofSeconds(6));

    assertThat(logger.spillover().orElseThrow().failing()).isTrue();
    thawed.countDown();
    Eventually.await("works again", () -> !logger.spillover().orElseThrow().failing());
    settle(logger);
  }

  @Test
  void buildingALoggerDoesNotWaitForIt() throws Exception {
    disk = FaultyFiles.over(directory);
    freeze();

    AsyncEventLogger logger = answered(this::logger);
    logger.log(Events.events("e", 10));

    Eventually.await("delivered", () -> logger.metrics().eventsSent() == 10);
    assertThat(logger.spillover().orElseThrow().directory()).isNull();
    thawed.countDown();
    Eventually.await("opened", () -> logger.spillover().orElseThrow().directory() != null);
    assertBalanced(logger);
  }
}
