package failover.spring.boot;

import failover.Schedule;
import failover.execution.RecoverableFailures;
import failover.store.AsyncFailoverStore;
import holdfast.problems.Problems;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.function.Predicate;
import org.springframework.scheduling.support.CronExpression;

/** Reads properties, and says all that is wrong with them at once. Stateless. */
final class Settings {
  private static final String TABLE_PREFIX = "([A-Za-z0-9_]+\\.)*[A-Za-z0-9_]*";

  private Settings() {}

  /**
   * Checks what can be checked without anything else.
   *
   * @throws FailoverStartException if something is out of range
   */
  static void check(FailoverProperties properties) {
    StoreProperties store = properties.getStore();
    Problems problems =
        new Problems("failover")
            .require(
                properties.getTimedCalls() >= 1,
                "failover.timed-calls",
                "be 1 or more",
                properties.getTimedCalls())
            .require(
                !properties.getDrainTimeout().isNegative(),
                "failover.drain-timeout",
                "be zero or more",
                properties.getDrainTimeout())
            .require(
                store.getJdbc().getTablePrefix().matches(TABLE_PREFIX),
                "failover.store.jdbc.table-prefix",
                "have letters, digits and underscores, after names with a dot",
                store.getJdbc().getTablePrefix())
            .require(
                properties.getObservable().getAsync().getQueueCapacity() >= 1,
                "failover.observable.async.queue-capacity",
                "be 1 or more",
                properties.getObservable().getAsync().getQueueCapacity())
            .require(
                properties.getObservable().getCardinality().getMaxApis() >= 1,
                "failover.observable.cardinality.max-apis",
                "be 1 or more",
                properties.getObservable().getCardinality().getMaxApis())
            .require(
                !properties.isRecoverAny()
                    || (properties.getRecoverOn().isEmpty() && properties.getNeverOn().isEmpty()),
                "failover.recover-any",
                "be false where failover.recover-on or failover.never-on is set",
                properties.isRecoverAny());
    requireCron(problems, "cleanup-cron", properties.getScheduler().getCleanupCron());
    requireCron(problems, "report-cron", properties.getScheduler().getReportCron());
    if (!problems.found().isEmpty()) {
      throw new FailoverStartException(
          "the settings of failover are out of range: " + String.join("; ", problems.found()),
          "correct the settings of failover",
          null);
    }
  }

  private static void requireCron(Problems problems, String key, String cron) {
    problems.require(
        CronExpression.isValidExpression(cron),
        "failover.scheduler." + key,
        "be a cron expression of six fields",
        cron);
  }

  /** Which failures are recovered at points that say nothing themselves. */
  static Predicate<Throwable> recoverable(FailoverProperties properties) {
    if (properties.isRecoverAny()) {
      return RecoverableFailures.any();
    }
    return RecoverableFailures.of(properties.getRecoverOn(), properties.getNeverOn());
  }

  /** When an expression matches next, in the zone of this machine; far off if never. */
  static Schedule schedule(String cron) {
    CronExpression expression = CronExpression.parse(cron);
    ZoneId zone = ZoneId.systemDefault();
    return now -> {
      ZonedDateTime next = expression.next(now.atZone(zone));
      Instant at = next == null ? now.plus(Duration.ofDays(3_650)) : next.toInstant();
      Duration wait = Duration.between(now, at);
      return wait.isZero() || wait.isNegative() ? Duration.ofSeconds(1) : wait;
    };
  }

  /** How many writes may wait. */
  static int queueCapacity(AsyncExecutorProperties properties) {
    int limit = properties.getConcurrencyLimit();
    return limit <= 0 ? AsyncFailoverStore.DEFAULT_CAPACITY : limit;
  }
}
