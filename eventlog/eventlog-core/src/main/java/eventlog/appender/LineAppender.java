package eventlog.appender;

import eventlog.AsyncEventLogger;
import eventlog.AsyncEventLoggerBuilder;
import eventlog.LossReason;
import eventlog.appender.LogLine.LoggedException;
import eventlog.spi.EventLogClient;
import holdfast.ledger.LedgerSnapshot;
import holdfast.lifecycle.CloseReport;
import holdfast.log.LogText;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Logs lines of a log framework as events, through an {@link AsyncEventLogger} of its own. Made by
 * {@link AppenderSettings#start}. Safe for use by many threads.
 */
public final class LineAppender {
  private final LineEvents events;
  private final EventLogClient client;
  private final AsyncEventLogger logger;
  private final AppenderReport report;
  private final Duration closeTimeout;
  private final Set<String> reportedLosses = ConcurrentHashMap.newKeySet();
  private final LongAdder excluded = new LongAdder();

  LineAppender(
      LineEvents events,
      AsyncEventLoggerBuilder settings,
      EventLogClient client,
      Duration closeTimeout,
      AppenderReport report) {
    this.events = events;
    this.client = client;
    this.report = report;
    this.closeTimeout = closeTimeout;
    this.logger =
        settings
            .client(client)
            .eventLossCallback((event, reason) -> reportLoss(reason))
            .lifecycleListener(new LifecycleReport(report, client.address()))
            .build();
  }

  /**
   * Returns whether a line must not be logged, since logging it would cause such a line again, and
   * counts it if so. Ask before {@link #append}.
   *
   * @param loggerName the name of the line's logger
   * @param threadName the name of the thread that logged it
   * @return whether it is a line of the event log, its HTTP client or one of their threads
   */
  public boolean excludes(String loggerName, String threadName) {
    boolean own = OwnLines.has(loggerName, threadName);
    if (own) {
      excluded.increment();
    }
    return own;
  }

  /**
   * Logs a line as an event. Never waits, never touches the disk.
   *
   * @param line the line
   * @return false if it was lost at once, which is reported and in the ledger
   */
  public boolean append(LogLine line) {
    return logger.log(events.event(line));
  }

  /** Returns an exception as texts of limited length. */
  public LoggedException describe(Throwable thrown) {
    return events.describe(thrown);
  }

  /** Returns the ledger of the lines: accepted + recoveredAtStartup = delivered + held + lost. */
  public LedgerSnapshot ledger() {
    return logger.ledger();
  }

  /** Returns how many lines were not logged because logging them would cause them again. */
  public long excludedLines() {
    return excluded.sum();
  }

  /**
   * Takes no more lines, sends what it can within {@code closeTimeout}, writes the rest to disk,
   * and reports the ledger. Idempotent.
   *
   * @return what was left behind
   */
  public CloseReport stop() {
    CloseReport left = logger.close(closeTimeout);
    close(client, report);
    LedgerSnapshot ledger = logger.ledger();
    String line = ledger.toLine() + " excluded=" + excludedLines() + " closed";
    if (ledger.lost() == 0 && left.stillRunning() == 0) {
      report.info(line);
    } else {
      report.warn(line + " " + left);
    }
    return left;
  }

  static void close(EventLogClient client, AppenderReport report) {
    try {
      if (client instanceof AutoCloseable closeable) {
        closeable.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      report.warn(LogText.escape("the client could not be closed: " + e));
    }
  }

  /** Once for each reason: there may be millions, and the ledger counts them. */
  private void reportLoss(String code) {
    if (!reportedLosses.add(code)) {
      return;
    }
    for (LossReason reason : LossReason.values()) {
      if (reason.code().equals(code)) {
        report.warn("a line was lost, the first for this reason=" + code + "; " + reason.fix());
      }
    }
  }
}
