package eventlog.replay;

import eventlog.AsyncEventLoggerBuilder;
import eventlog.ForcePolicy;
import eventlog.send.Admission;
import eventlog.send.EventLogLedger;
import eventlog.send.EventQueue;
import eventlog.send.LifecycleEvents;
import eventlog.send.Pace;
import eventlog.send.Requests;
import eventlog.spi.EventLogClient;
import eventlog.spill.SpillDirectory;
import holdfast.breaker.CircuitBreaker;
import holdfast.retry.Backoff;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Sends what is in a directory from a process that logs nothing itself: the same passes as a
 * logger's, one after the other until nothing is left or nothing moves any more. Confined to one
 * thread.
 */
public final class DirectoryReplay {
  /** Here nobody else has requests to be kept away; after a failure the pause is ours. */
  private static final int NEVER = Integer.MAX_VALUE;

  private final Requests requests;
  private final ReplayPass pass;
  private final Settings settings;
  private final Alarm alarm;

  /**
   * How to send.
   *
   * @param batchSize how many events one request carries at most
   * @param eventsPerSecond how many events at most
   * @param maxRetries how often to try again after a failure without any progress
   * @param backoff how long to wait before that
   */
  public record Settings(int batchSize, int eventsPerSecond, int maxRetries, Backoff backoff) {}

  /**
   * A replay that has not begun.
   *
   * @param client the way to the API
   * @param ledger the ledger
   * @param settings how to send
   * @param time the clock
   */
  public DirectoryReplay(
      EventLogClient client, EventLogLedger ledger, Settings settings, TimeSource time) {
    this.settings = settings;
    this.alarm = time.newAlarm();
    CircuitBreaker breaker = new CircuitBreaker(NEVER, Duration.ofMillis(1), time);
    Pace pace = new Pace(new EventQueue(1), settings.batchSize(), settings.eventsPerSecond(), time);
    this.requests =
        new Requests(client, new Admission(breaker, 1, pace, time), LifecycleEvents.none());
    this.pass =
        new ReplayPass(
            requests,
            ledger,
            new ReplayPass.Settings(
                settings.batchSize(),
                AsyncEventLoggerBuilder.DEFAULT_MAX_REQUEST_BYTES,
                settings.backoff(),
                settings.maxRetries(),
                AsyncEventLoggerBuilder.DEFAULT_MAX_REPLAY_TRIES,
                ForcePolicy.INTERVAL),
            alarm,
            () -> false);
  }

  /**
   * Sends what is there.
   *
   * @param directory the directory
   * @param inVain whether trying again would be in vain
   * @return whether nothing is left to send
   * @throws IOException if the disk fails; nothing is lost by that
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public boolean run(SpillDirectory directory, BooleanSupplier inVain)
      throws IOException, InterruptedException {
    long left = directory.unanswered();
    int failures = 0;
    while (!pass.run(directory)) {
      failures = directory.unanswered() < left ? 1 : failures + 1;
      left = directory.unanswered();
      if (failures > settings.maxRetries() || inVain.getAsBoolean()) {
        return false;
      }
      Duration backoff = settings.backoff().delay(failures);
      alarm.await(backoff.compareTo(requests.rest()) > 0 ? backoff : requests.rest());
    }
    return true;
  }
}
