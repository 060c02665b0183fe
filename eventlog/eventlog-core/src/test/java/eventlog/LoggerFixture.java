package eventlog;

import holdfast.ledger.LedgerSnapshot;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A logger on an API in memory, a clock that stands still and a directory of its own. */
@Timeout(60)
abstract class LoggerFixture {
  static final String ACTIVE = "eventlog-spillover.jsonl";
  static final String REPLAY = "eventlog-spillover.replay.jsonl";
  static final String QUARANTINE = "eventlog-spillover.quarantine.jsonl";

  @TempDir Path directory;

  final FakeApi api = new FakeApi();
  final Losses losses = new Losses();
  final SettableTime time = new SettableTime();
  final CapturedLog log = new CapturedLog("eventlog");
  private final List<AsyncEventLogger> open = new ArrayList<>();

  @AfterEach
  void closeAll() {
    open.forEach(AsyncEventLogger::close);
    log.close();
  }

  /** A logger without spillover. */
  AsyncEventLogger logger(Consumer<AsyncEventLoggerBuilder> settings) {
    AsyncEventLoggerBuilder builder =
        AsyncEventLogger.builder()
            .client(api)
            .eventLossCallback(losses)
            .time(time)
            .maxBatchWait(Duration.ZERO)
            .senderThreads(1) // so that requests come in order
            .registerShutdownHook(false);
    settings.accept(builder);
    AsyncEventLogger logger = builder.build();
    open.add(logger);
    return logger;
  }

  /** A logger with spillover. */
  AsyncEventLogger spilling(Consumer<AsyncEventLoggerBuilder> settings) {
    return logger(builder -> settings.accept(builder.spilloverPath(directory)));
  }

  /** Waits until every event has come to rest: delivered, on disk, set aside or lost. */
  static void settle(AsyncEventLogger logger) {
    Eventually.await(
        "no event in memory",
        () -> {
          LedgerSnapshot ledger = logger.ledger();
          return ledger.isAccountedFor()
              && ledger.held()
                  == ledger.heldByPlace().get("disk") + ledger.heldByPlace().get("quarantine");
        });
  }

  /**
   * Lets time pass in steps; after each, so many threads must be asleep again, so that whatever was
   * due has been done.
   */
  void pass(Duration duration, int sleepers) throws InterruptedException {
    Duration step = Duration.ofMillis(100);
    for (Duration passed = Duration.ZERO; passed.compareTo(duration) < 0; ) {
      time.advance(step);
      passed = passed.plus(step);
      time.awaitSleepers(sleepers);
    }
  }

  /** Lets time pass until the condition holds. */
  void passUntil(String what, java.util.function.BooleanSupplier condition) {
    Eventually.await(
        what,
        () -> {
          time.advance(Duration.ofMillis(100));
          return condition.getAsBoolean();
        });
  }

  List<String> lines(String file) {
    try {
      Path path = directory.resolve(file);
      return Files.exists(path) ? Files.readAllLines(path) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /** Every event is accounted for; one that moves this moment may be in two places or in none. */
  static void assertBalanced(AsyncEventLogger logger) {
    Eventually.await("balanced ledger", () -> logger.ledger().isAccountedFor());
  }
}
