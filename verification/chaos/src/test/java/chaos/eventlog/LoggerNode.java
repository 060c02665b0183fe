package chaos.eventlog;

import chaos.Fleet;
import chaos.Signals;
import eventlog.AsyncEventLogger;
import eventlog.Events;
import eventlog.HttpEventLogClient;
import holdfast.ledger.LedgerSnapshot;
import holdfast.testkit.process.Acknowledged;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A process that logs until it is told to stop, and ends when nothing is left on its disk. It
 * acknowledges up to which number it will log before it does so, and every loss it is told of.
 */
final class LoggerNode {
  /** Log no more, and end. */
  static final String STOP = "stop";

  static final String UP_TO = "up to ";
  static final String LOST = "lost ";
  static final String LEDGER = "ledger ";

  /** A machine that stands still for seconds must not have a request repeated. */
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(60);

  static final int BATCH = 20;
  private static final int BURST = 50;
  private static final Duration BETWEEN_BURSTS = Duration.ofMillis(5);

  private LoggerNode() {}

  public static void main(String[] args) throws InterruptedException {
    URI api = URI.create(args[0]);
    Path directory = Path.of(args[1]);
    Signals signals = new Signals(Path.of(args[2]));
    String name = args[3];
    AsyncEventLogger logger = logger(api, directory);
    Alarm alarm = TimeSource.system().newAlarm();
    Acknowledged.line(Fleet.READY);
    for (int number = 0; !signals.isGiven(STOP); alarm.await(BETWEEN_BURSTS)) {
      Acknowledged.line(UP_TO + (number + BURST));
      for (int end = number + BURST; number < end; number++) {
        logger.log(Events.event(name + "-" + number));
      }
    }
    while (isBusy(logger.ledger())) {
      alarm.await(BETWEEN_BURSTS);
    }
    logger.close();
    LedgerSnapshot ledger = logger.ledger();
    Acknowledged.line(LEDGER + ledger.toLine());
    if (!ledger.isAccountedFor()) {
      throw new IllegalStateException("every event must be accounted for but " + ledger.toLine());
    }
  }

  /** Whether anything is held but lines that a kill has torn, which are set aside for good. */
  private static boolean isBusy(LedgerSnapshot ledger) {
    return !ledger.isAccountedFor()
        || ledger.held() > ledger.heldByPlace().getOrDefault("quarantine", 0L);
  }

  /** Small in everything, so that each thing happens often. */
  private static AsyncEventLogger logger(URI api, Path directory) {
    return AsyncEventLogger.builder()
        .client(HttpEventLogClient.builder(api).requestTimeout(REQUEST_TIMEOUT).build())
        .spilloverPath(directory)
        .queueCapacity(200)
        .batchSize(BATCH)
        .replayBatchSize(BATCH)
        .maxBatchWait(Duration.ofMillis(2))
        .maxRetries(1)
        .baseRetryDelay(Duration.ofMillis(10))
        .maxRetryDelay(Duration.ofMillis(20))
        .circuitBreakerThreshold(2)
        .circuitBreakerReset(Duration.ofMillis(50))
        .replayIntervalMs(50)
        .maxReplayTries(1_000_000) // it is no poisoned event that fails here
        .maxReplayEventsPerSecond(100_000)
        .maxSpilloverEvents(Long.MAX_VALUE)
        .maxSpilloverSizeBytes(Long.MAX_VALUE)
        .forceInterval(Duration.ofMillis(20))
        .eventLossCallback(
            (event, reason) -> Acknowledged.line(LOST + event.idempotencyKey() + " " + reason))
        .build();
  }
}
