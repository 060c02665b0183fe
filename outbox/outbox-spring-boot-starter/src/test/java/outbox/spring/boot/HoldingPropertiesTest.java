package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.threads.Eventually;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import outbox.jdbc.JdbcOutbox;

/** What the properties of leases, unhandled events and the table change in an application. */
class HoldingPropertiesTest {

  private interface Check {
    void on(AssertableApplicationContext context) throws Exception;
  }

  private static void with(Check check, String... properties) {
    Contexts.runner()
        .withBean(Desk.class)
        .withPropertyValues(properties)
        .run(
            context -> {
              try {
                check.on(context);
              } finally {
                context.getBean(Desk.class).goOn();
              }
            });
  }

  private static String hold(AssertableApplicationContext context) throws Exception {
    String id = Contexts.publish(context, "Held", "{}");
    Eventually.await("held", () -> context.getBean(Desk.class).held() == 1);
    return id;
  }

  private static String text(AssertableApplicationContext context, String id, String column) {
    return context
        .getBean(JdbcTemplate.class)
        .queryForObject(
            "SELECT " + column + " FROM outbox_event WHERE event_id = ?", String.class, id);
  }

  @Test
  void theNodesNameIsOnWhatItHolds() {
    with(
        context -> assertThat(text(context, hold(context), "claimed_by")).isEqualTo("desk-1"),
        "outbox.node=desk-1");
  }

  @Test
  void aLeaseLastsForSoLong() {
    with(
        context -> assertThat(Contexts.minutesUntilDue(context, hold(context))).isBetween(58L, 60L),
        "outbox.lease.length=1h");
  }

  @Test
  void leasesAreRenewedSoOften() {
    with(
        context -> {
          String id = hold(context);
          long before = System.nanoTime();
          for (int i = 0; i < 3; i++) {
            String due = text(context, id, "available_at");
            Eventually.await("renewed", () -> !text(context, id, "available_at").equals(due));
          }
          assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - before)).isLessThan(10);
        },
        "outbox.lease.renew-every=20ms");
  }

  @Test
  void aDriftThatTheLeaseLeavesNoRoomForFailsTheStart() {
    Contexts.runner()
        .withPropertyValues("outbox.lease.drift=5s")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasMessageContaining("outbox.lease.length must be more than PT15S"));
  }

  @Test
  void whatWaitsInAQueueForSoLongIsReleased() {
    with(
        context -> {
          // One worker can hold one of them; the other waits, and either may be the one.
          Contexts.publish(context, "Held", "{}");
          Contexts.publish(context, "Held", "{}");
          OutboxCounters counters = context.getBean(OutboxCounters.class);
          Eventually.await("back", () -> counters.value(OutboxMeter.RELEASED) > 0);
        },
        "outbox.workers=1",
        "outbox.poller-enabled=false",
        "outbox.lease.renew-every=20ms",
        "outbox.lease.max-queue-wait=1ms");
  }

  @Test
  void whatNobodyListensToIsLeftToOthersForSoLong() {
    with(
        context -> {
          String id = Contexts.publish(context, "Unknown", "{}");
          Eventually.await("released", () -> Contexts.minutesUntilDue(context, id) > 50);
        },
        "outbox.unhandled.delay=1h");
  }

  @Test
  void whatNobodyListensToIsDeadAfterSoLong() {
    with(
        context -> {
          String id = Contexts.publish(context, "Unknown", "{}");
          Eventually.await("dead", () -> Contexts.status(context, id) == 3);
        },
        "outbox.unhandled.delay=1ms",
        "outbox.unhandled.dead-after=0s",
        "outbox.poll-interval=10ms");
  }

  @Test
  void whatNobodyListensToIsDoneIfToldSo() {
    with(
        context -> {
          String id = Contexts.publish(context, "Unknown", "{}");
          Eventually.await("done", () -> Contexts.status(context, id) == 1);
        },
        "outbox.unhandled.done=true");
  }

  @Test
  void theDialectIsTakenByItsName() {
    with(
        context -> {
          String id = Contexts.publish(context, "Taken", "{}");
          Eventually.await("done", () -> Contexts.status(context, id) == 1);
        },
        "outbox.dialect=h2");
    Contexts.runner()
        .withPropertyValues("outbox.dialect=oracle")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasMessageContainingAll("oracle", "h2", "postgresql", "mariadb"));
  }

  @Test
  void doneEventsAreKeptForSoLongAndStayInTheLedger() {
    with(
        context -> {
          Contexts.publish(context, "Taken", "{}");
          JdbcTemplate sql = context.getBean(JdbcTemplate.class);
          Eventually.await("taken", () -> context.getBean(Desk.class).taken() == 1);
          Eventually.await(
              "purged",
              () -> sql.queryForObject("SELECT COUNT(*) FROM outbox_event", Integer.class) == 0);

          assertThat(context.getBean(JdbcOutbox.class).ledger().delivered()).isEqualTo(1);
        },
        "outbox.retention=0s");
  }

  @ParameterizedTest
  @ValueSource(strings = {"outbox.publish-only=true", "outbox.poller-enabled=false"})
  void aNodeThatDoesNotPollPurgesAllTheSame(String role) {
    with(
        context -> {
          JdbcTemplate sql = context.getBean(JdbcTemplate.class);
          sql.update(
              "INSERT INTO outbox_event (event_id, event_type, payload, status, available_at,"
                  + " created_at, done_at) VALUES ('old', 'Taken', '{}', 1,"
                  + " TIMESTAMP '2020-01-01 00:00:00', TIMESTAMP '2020-01-01 00:00:00',"
                  + " TIMESTAMP '2020-01-01 00:00:00')");
          Eventually.await(
              "purged",
              () -> sql.queryForObject("SELECT COUNT(*) FROM outbox_event", Integer.class) == 0);
        },
        role,
        "outbox.retention=0s");
  }
}
