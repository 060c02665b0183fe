package eventlog.logback;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import holdfast.ledger.LedgerSnapshot;
import holdfast.testkit.process.Acknowledged;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;
import org.slf4j.LoggerFactory;

/**
 * An application that logs lines through Logback, as its {@code logback.xml} says. It logs as fast
 * as its disk takes the lines, says how many are there, and ends when none is left.
 */
final class LoggingApp {
  static final String ON_DISK = "on disk ";
  static final String LEDGER = "ledger ";
  private static final int BURST = 1000;
  private static final Duration MOMENT = Duration.ofMillis(1);

  private LoggingApp() {}

  public static void main(String[] args) throws InterruptedException {
    int lines = Integer.parseInt(args[0]);
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    EventLogAppender appender =
        (EventLogAppender) context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("EVENTLOG");
    Alarm alarm = TimeSource.system().newAlarm();
    Logger logger = context.getLogger("shop.Orders");
    for (int number = 0; number < lines; number++) {
      logger.info("line {} order placed", number);
      if (number % BURST == BURST - 1) {
        while (inMemory(ledger(appender)) > BURST) {
          alarm.await(MOMENT);
        }
        Acknowledged.line(ON_DISK + onDisk(ledger(appender)));
      }
    }
    while (onDisk(ledger(appender)) + inMemory(ledger(appender)) > 0) {
      alarm.await(MOMENT);
    }
    context.stop();
    Acknowledged.line(LEDGER + ledger(appender).toLine());
  }

  private static LedgerSnapshot ledger(EventLogAppender appender) {
    return appender.ledger().orElseThrow();
  }

  private static long onDisk(LedgerSnapshot ledger) {
    return ledger.heldByPlace().getOrDefault("disk", 0L);
  }

  /** A line torn by a kill is held in quarantine, for good. */
  private static long inMemory(LedgerSnapshot ledger) {
    return ledger.held()
        - onDisk(ledger)
        - ledger.heldByPlace().getOrDefault("quarantine", 0L)
        + ledger.unaccounted();
  }
}
