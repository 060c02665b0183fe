package failover.spring.boot;

import failover.FailoversBuilder.Schedule;
import failover.execution.RecoverableFailures;
import failover.store.AsyncFailoverStore;
import holdfast.jdbc.TableName;
import holdfast.spring.boot.PropertyChecks;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.function.Predicate;
import org.springframework.scheduling.support.CronExpression;

/** Reads properties, and says all that is wrong with them at once. Stateless. */
final class Settings {
  private static final String TABLE_PREFIX_KEY = "store.jdbc.table-prefix";
  private static final String TABLE_PREFIX = "([A-Za-z0-9_]+\\.)?[A-Za-z0-9_]*";

  private Settings() {}

  /**
   * Checks what can be checked without anything else.
   *
   * @throws holdfast.spring.boot.StartException if something is out of range
   */
  static void check(FailoverProperties properties) {
    PropertyChecks checks = new PropertyChecks("failover", "failover");
    checks.atLeast("timed-calls", 1, properties.getTimedCalls());
    checks.positive("store.read-timeout", properties.getStore().getReadTimeout());
    checks.notNegative("close-timeout", properties.getCloseTimeout());
    String prefix = properties.getStore().getJdbc().getTablePrefix();
    if (checks.require(
        prefix.matches(TABLE_PREFIX),
        TABLE_PREFIX_KEY,
        "have letters, digits and underscores, after the name of a schema with a dot",
        prefix)) {
      checks.accepted(TABLE_PREFIX_KEY, () -> TableName.of(prefix + "FAILOVER_STORE"));
    }
    checks.positive(
        "store.jdbc.check-interval", properties.getStore().getJdbc().getCheckInterval());
    ObservableProperties observable = properties.getObservable();
    checks.atLeast("observable.async.queue-capacity", 1, observable.getAsync().getQueueCapacity());
    checks.atLeast("observable.cardinality.max-apis", 1, observable.getCardinality().getMaxApis());
    checks.require(
        !properties.isRecoverAny()
            || (properties.getRecoverOn().isEmpty() && properties.getNeverOn().isEmpty()),
        "recover-any",
        "be false where failover.recover-on or failover.never-on is set",
        properties.isRecoverAny());
    requireCron(checks, "scheduler.cleanup-cron", properties.getScheduler().getCleanupCron());
    requireCron(checks, "scheduler.report-cron", properties.getScheduler().getReportCron());
    checks.throwIfAny();
  }

  private static void requireCron(PropertyChecks checks, String key, String cron) {
    checks.require(
        CronExpression.isValidExpression(cron), key, "be a cron expression of six fields", cron);
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

  /** A number of bytes, where 0 stands for no bound. */
  static long bytes(long configured) {
    return configured <= 0 ? Long.MAX_VALUE : configured;
  }
}
