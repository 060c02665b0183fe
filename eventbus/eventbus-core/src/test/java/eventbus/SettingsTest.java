package eventbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.ConnectionPool;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Settings that cannot work are refused, all at once. */
class SettingsTest {
  private static EventBusBuilder builder() {
    return EventBus.builder(
        ConnectionPool.over(
            () -> {
              throw new java.sql.SQLException("no database");
            }));
  }

  @Test
  void allMistakesAreNamedAtOnce() {
    EventBusBuilder wrong =
        builder()
            .name("")
            .workers(0)
            .batchSize(0)
            .maxLapses(0)
            .maxPayloadBytes(0)
            .pollInterval(Duration.ZERO)
            .closeTimeout(Duration.ofSeconds(-1))
            .concurrency("A", 0)
            .retention(Duration.ofDays(-1))
            .abandonmentTimeout(Duration.ofSeconds(-1))
            .heartbeat(Duration.ZERO)
            .maxQueueWait(Duration.ZERO);
    assertThatThrownBy(wrong::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("name must have 1 to 128 characters")
        .hasMessageContaining("workers must be 1 or more")
        .hasMessageContaining("batchSize must be 1 or more")
        .hasMessageContaining("maxLapses must be 1 or more")
        .hasMessageContaining("maxPayloadBytes must be 1 or more")
        .hasMessageContaining("pollInterval must be more than zero")
        .hasMessageContaining("closeTimeout must be zero or more")
        .hasMessageContaining("concurrency of 'A' must be 1 or more")
        .hasMessageContaining("retention of COMPLETED must be zero or more")
        .hasMessageContaining("abandonmentTimeout must be more than zero")
        .hasMessageContaining("heartbeat must be more than zero")
        .hasMessageContaining("maxQueueWait must be more than zero");
  }

  @Test
  void settingsTooLargeToWorkWithAreNamed() {
    Duration age = Duration.ofSeconds(Long.MAX_VALUE);
    EventBusBuilder wrong =
        builder()
            .workers(Integer.MAX_VALUE)
            .batchSize(Integer.MAX_VALUE)
            .pollInterval(age)
            .closeTimeout(age)
            .retention(age)
            .retryFor(age)
            .handlerTimeout(age)
            .abandonmentTimeout(age)
            .heartbeat(age)
            .maxQueueWait(age);
    assertThatThrownBy(wrong::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(
            "workers must be 10000 or less",
            "batchSize must be 100000 or less",
            "pollInterval must be 100 years or less",
            "closeTimeout must be 100 years or less",
            "retention of COMPLETED must be 100 years or less",
            "retryFor must be 100 years or less",
            "handlerTimeout must be 100 years or less",
            "abandonmentTimeout must be 100 years or less",
            "heartbeat must be 100 years or less",
            "maxQueueWait must be 100 years or less");
  }

  @Test
  void aTimeOutMustOutlastItsHeartbeats() {
    EventBusBuilder wrong =
        builder().abandonmentTimeout(Duration.ofSeconds(10)).heartbeat(Duration.ofSeconds(5));
    assertThatThrownBy(wrong::build)
        .hasMessageContaining("abandonmentTimeout must be more than twice");
    assertThatThrownBy(() -> builder().abandonmentTimeout(Duration.ZERO).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("abandonmentTimeout")
        .message()
        .doesNotContain("heartbeat must");
  }

  @Test
  void aBusCanBeBuiltAndClosedWithoutItsDatabase() {
    EventBus bus = builder().build();
    assertThat(bus.close(Duration.ofSeconds(1)).isClean()).isTrue();
    assertThatThrownBy(bus::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> bus.publish(Buses.event("A")))
        .isInstanceOf(EventBusException.class)
        .hasMessage("event bus could not publish: no database");
  }

  @Test
  void retriesAreChecked() {
    assertThatThrownBy(() -> RetryPolicy.backoff(0, Duration.ofSeconds(1), Duration.ofSeconds(1)))
        .hasMessageContaining("maxAttempts must be 1 or more");
    assertThat(RetryPolicy.FAIL_FAST.delay(1, new Exception())).isEmpty();
    RetryPolicy twice = RetryPolicy.backoff(2, Duration.ofSeconds(1), Duration.ofSeconds(1));
    assertThat(twice.delay(1, new Exception())).isPresent();
    assertThat(twice.delay(2, new Exception())).isEmpty();
    assertThatThrownBy(() -> builder().retryFor(Duration.ZERO).build())
        .hasMessageContaining("retryFor must be more than zero");
    assertThatThrownBy(() -> new RetryAfterException(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RetryAfterException(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageStartingWith("RetryAfterException needs a delay but was given null; say how");
  }

  @Test
  void batchesOfNoneAreRefused() {
    BatchEventHandler ofNone =
        new BatchEventHandler() {
          @Override
          public Map<Long, Exception> handleAll(List<Event> events) {
            return Map.of();
          }

          @Override
          public int maxBatchSize() {
            return 0;
          }
        };
    assertThatThrownBy(() -> builder().batchHandler("A", ofNone))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxBatchSize must be 1 or more but was 0");
  }

  @EachDatabase
  void requiredTablesAreLookedForWhenTheBusIsBuilt(TestDatabase database) throws Exception {
    Tables tables = Tables.fresh(database);
    assertThat(EventBus.builder(database.dataSource()).requireTables().build().inFlight()).isZero();
    tables.execute("DROP TABLE events_count");
    assertThatThrownBy(() -> EventBus.builder(database.dataSource()).requireTables().build())
        .isInstanceOf(EventBusException.class)
        .hasMessageContaining("table events_count must exist but was not found");
    assertThat(builder().requireTables().build().inFlight()).as("cannot be asked").isZero();
  }

  @EachDatabase
  void aMomentWithAZoneIsRefused(TestDatabase database) throws Exception {
    Tables tables = Tables.fresh(database);
    boolean mariadb = database.kind() == DatabaseKind.MARIADB;
    tables.execute("DROP TABLE event_log");
    tables.execute(
        """
        CREATE TABLE event_log (
          id BIGINT PRIMARY KEY, type VARCHAR(128), payload VARCHAR(4000), headers VARCHAR(4000),
          attempts INT, created_at %s, status VARCHAR(16), error VARCHAR(4000), finished_at %s,
          republished_as BIGINT)
        """
            .formatted(
                mariadb ? "DATETIME(6)" : "TIMESTAMP(6)",
                mariadb ? "TIMESTAMP(6)" : "TIMESTAMP(6) WITH TIME ZONE"));

    assertThatThrownBy(() -> EventBus.builder(database.dataSource()).requireTables().build())
        .isInstanceOf(EventBusException.class)
        .hasMessageContaining(
            "column finished_at of table event_log must be %s but is ",
            mariadb ? "DATETIME(6)" : "TIMESTAMP(6)")
        .hasMessageContaining("change its type to the one in eventbus/schema/");
    EventBus bus = EventBus.builder(database.dataSource()).build();
    assertThatThrownBy(bus::start).hasMessageContaining("column finished_at of table event_log");
    bus.close();
  }

  @EachDatabase
  void aMissingRightIsNamedWithTheGrantWhenTheBusIsStarted(TestDatabase database) throws Exception {
    Tables.fresh(database);
    String user = "bus_" + ProcessHandle.current().pid();
    DataSource limited =
        database.dataSourceOf(
            user,
            "SELECT, INSERT, UPDATE ON events",
            "SELECT, INSERT, UPDATE, DELETE ON event_log",
            "SELECT, INSERT, UPDATE ON events_count");

    EventBus bus = EventBus.builder(limited).requireTables().build();
    assertThat(bus.publish(Event.of("A", "{}"))).as("publishing needs no more").isPositive();
    assertThatThrownBy(bus::start)
        .isInstanceOf(EventBusException.class)
        .hasMessageContaining(" lacks the right to DELETE on table events; run GRANT DELETE ON")
        .satisfies(e -> assertThat(e.getMessage()).containsIgnoringCase("events TO " + user));
    bus.close();
  }

  @Test
  void unlessToldOfTransactionsTheBusSeesNone() {
    assertThat(CurrentTransaction.NONE.connection()).isNull();
    assertThatThrownBy(() -> CurrentTransaction.NONE.afterCommit(() -> {}))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void defaultsAreThoseOfThePage() {
    assertThat(EventBusBuilder.DEFAULT_WORKERS).isEqualTo(4);
    assertThat(EventBusBuilder.DEFAULT_BATCH_SIZE).isEqualTo(500);
    assertThat(EventBusBuilder.DEFAULT_ABANDONMENT_TIMEOUT).isEqualTo(Duration.ofMinutes(5));
    assertThat(EventBusBuilder.DEFAULT_POLL_INTERVAL).isEqualTo(Duration.ofSeconds(1));
    assertThat(EventBusBuilder.DEFAULT_MAX_LAPSES).isEqualTo(10);
    assertThat(EventBusBuilder.DEFAULT_MAX_PAYLOAD_BYTES).isEqualTo(1_048_576);
    assertThat(EventBusBuilder.DEFAULT_RETRY_FOR).isEqualTo(Duration.ofHours(24));
    assertThat(RetryPolicy.DEFAULT.delay(1, new Exception()).orElseThrow())
        .as("200 ms, and by chance half of it less or more")
        .isBetween(Duration.ofMillis(100), Duration.ofMillis(300));
    assertThat(RetryPolicy.DEFAULT.delay(1_000_000, new Exception()).orElseThrow())
        .as("without a limit of attempts")
        .isBetween(Duration.ofMinutes(5), Duration.ofMinutes(10));
  }
}
