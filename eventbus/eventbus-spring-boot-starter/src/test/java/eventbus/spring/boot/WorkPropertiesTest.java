package eventbus.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import eventbus.Event;
import eventbus.EventBus;
import holdfast.testkit.threads.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** What the properties of work, claims and the log change in a running application. */
@Timeout(120)
class WorkPropertiesTest {

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

  private static void awaitHeld(AssertableApplicationContext context, int events) {
    Eventually.await("held", () -> context.getBean(Desk.class).held() == events);
  }

  private static long hold(AssertableApplicationContext context) {
    long id = Contexts.publish(context, "Held");
    awaitHeld(context, 1);
    return id;
  }

  private static void awaitLogged(AssertableApplicationContext context, long id, String status) {
    Eventually.await(status, () -> Contexts.logged(context, id).equals(status));
  }

  /** What was quick so far lets it claim ahead. */
  private static EventBus busThatClaimsAhead(AssertableApplicationContext context) {
    EventBus bus = Contexts.bus(context);
    bus.publishAll(Collections.nCopies(20, Event.of("Taken", "{}")));
    Eventually.await("quick", () -> bus.counts().completed() == 20);
    return bus;
  }

  @Test
  void handlersAreInterruptedAfterSoLong() {
    with(
        context -> {
          hold(context);
          Eventually.await("failed", () -> Contexts.bus(context).counts().retried() > 0);
        },
        "eventbus.handler-timeout=50ms");
  }

  @Test
  void handlersOfATypeAreInterruptedAfterSoLong() {
    with(
        context -> {
          hold(context);
          Eventually.await("failed", () -> Contexts.bus(context).counts().retried() > 0);
        },
        "eventbus.handler-timeout=1h",
        "eventbus.handler-timeouts.Held=50ms");
  }

  @Test
  void noMoreBytesAreInFlightThanAllowed() {
    with(
        context -> {
          EventBus bus = Contexts.bus(context);
          bus.publishAll(Collections.nCopies(3, Event.of("Held", "{}")));
          awaitHeld(context, 1);
          bus.wakeUp();
          assertThat(bus.backlog().types().get(0).processing()).isEqualTo(1);
        },
        "eventbus.max-in-flight-bytes=1");
  }

  @Test
  void soManyWorkersHandleAtTheSameTime() {
    with(
        context -> {
          EventBus bus = busThatClaimsAhead(context);
          bus.publishAll(Collections.nCopies(3, Event.of("Held", "{}")));
          awaitHeld(context, 2);
          Eventually.await("one waits", () -> bus.inFlight() == 3);
          assertThat(context.getBean(Desk.class).held()).isEqualTo(2);
        },
        "eventbus.workers=2");
  }

  @Test
  void noMoreOfATypeAreHeldThanAllowedAndOthersPass() {
    with(
        context -> {
          EventBus bus = Contexts.bus(context);
          bus.publishAll(Collections.nCopies(3, Event.of("Held", "{}")));
          awaitHeld(context, 1);
          Contexts.publish(context, "Taken");
          Eventually.await("passed", () -> context.getBean(Desk.class).taken() == 1);
          assertThat(bus.backlog().types().get(0).processing()).isEqualTo(1);
        },
        "eventbus.concurrency.Held=1");
  }

  @Test
  void noMoreThanSoManyAreClaimedAtATime() {
    with(
        context -> {
          EventBus bus = busThatClaimsAhead(context);
          bus.publishAll(Collections.nCopies(9, Event.of("Held", "{}")));
          awaitHeld(context, 1);
          // Two batches and what runs; with the default, one claim would have taken all.
          assertThat(bus.inFlight()).isLessThanOrEqualTo(3);
        },
        "eventbus.workers=1",
        "eventbus.batch-size=1");
  }

  @Test
  void theNodesNameIsOnWhatItHolds() {
    with(
        context ->
            assertThat(Contexts.column(context, hold(context), "claimed_by")).isEqualTo("desk-1"),
        "eventbus.name=desk-1");
  }

  @Test
  void anEventBelongsToItsWorkerForSoLong() {
    with(
        context -> assertThat(Contexts.minutesUntilDue(context, hold(context))).isBetween(58L, 60L),
        "eventbus.abandonment-timeout=1h");
  }

  @Test
  void workersGiveSignsOfLifeSoOften() {
    with(
        context -> {
          long id = hold(context);
          long before = System.nanoTime();
          for (int i = 0; i < 3; i++) {
            String until = Contexts.column(context, id, "available_at");
            Eventually.await(
                "renewed", () -> !Contexts.column(context, id, "available_at").equals(until));
          }
          assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - before)).isLessThan(20);
        },
        "eventbus.heartbeat=20ms");
  }

  @Test
  void whatWaitsForAWorkerForSoLongIsReleased() {
    with(
        context -> {
          busThatClaimsAhead(context);
          hold(context);
          Contexts.publish(context, "Held");
          Eventually.await("back", () -> Contexts.bus(context).counts().released() > 0);
        },
        "eventbus.workers=1",
        "eventbus.heartbeat=20ms",
        "eventbus.max-queue-wait=1ms");
  }

  /** Counts how often a connection is asked for: an idle bus does so once for each look. */
  static final class Looks extends DelegatingDataSource {
    private final AtomicInteger count = new AtomicInteger();

    Looks() {
      super(new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1"));
    }

    @Override
    public Connection getConnection() throws SQLException {
      count.incrementAndGet();
      return super.getConnection();
    }
  }

  @Test
  void theTableIsLookedIntoAtLeastSoOften() {
    Contexts.runner()
        .withBean(Looks.class)
        .withBean(Desk.class)
        .withPropertyValues("eventbus.poll-interval=20ms")
        .run(
            context -> {
              Looks looks = context.getBean(Looks.class);
              int before = looks.count.get();
              // With the default these would take a minute, longer than is waited for.
              Eventually.await("looked", () -> looks.count.get() >= before + 70);
            });
  }

  @Test
  void afterSoManyFailuresAnEventIsFailed() {
    with(
        context -> {
          awaitLogged(context, Contexts.publish(context, "Fails"), "FAILED");
          assertThat(Contexts.bus(context).counts().retried()).isEqualTo(1);
        },
        "eventbus.retry.max-attempts=2",
        "eventbus.retry.base-delay=1ms");
  }

  @Test
  void afterFailingForSoLongAnEventIsFailed() {
    with(
        context -> {
          awaitLogged(context, Contexts.publish(context, "Fails"), "FAILED");
          assertThat(Contexts.bus(context).counts().retried()).isEqualTo(1);
        },
        "eventbus.retry-for=1ms",
        "eventbus.retry.base-delay=50ms");
  }

  @Test
  void aFailedEventWaitsForSoLong() {
    with(
        context -> {
          long id = Contexts.publish(context, "Fails");
          Eventually.await("waits", () -> Contexts.column(context, id, "failures").equals("1"));
          assertThat(Contexts.minutesUntilDue(context, id)).isBetween(14L, 46L);
        },
        "eventbus.retry.base-delay=30m",
        "eventbus.retry.max-delay=10h");
  }

  @Test
  void noWaitIsLongerThanTheLongest() {
    with(
        context -> {
          awaitLogged(context, Contexts.publish(context, "Fails"), "FAILED");
          assertThat(Contexts.bus(context).counts().retried()).isEqualTo(13);
        },
        "eventbus.retry.base-delay=5ms",
        "eventbus.retry.max-delay=5ms", // doubled each time, the last would be 40 seconds
        "eventbus.retry.max-attempts=14");
  }

  @Test
  void soManyLostWorkersCloseAnEvent() {
    with(
        context -> {
          long id = Contexts.publish(context, "Unknown");
          Contexts.sql(context)
              .update(
                  "UPDATE events SET type = 'Taken', lapses = 3, claimed_by = NULL WHERE id = ?",
                  id);
          awaitLogged(context, id, "FAILED");
          assertThat(context.getBean(Desk.class).taken()).isZero();
        },
        "eventbus.max-lapses=2",
        "eventbus.poll-interval=20ms");
  }

  @Test
  void aPayloadMayBeSoLarge() {
    with(
        context -> {
          EventBus bus = Contexts.bus(context);
          bus.publish(Event.of("Taken", "12345"));
          assertThatIllegalArgumentException()
              .isThrownBy(() -> bus.publish(Event.of("Taken", "123456")))
              .withMessageContaining("5 bytes or fewer but has 6");
        },
        "eventbus.max-payload-bytes=5");
  }

  @Test
  void closedEventsAreKeptForSoLongAndStayInTheLedger() {
    with(
        context -> {
          EventBus bus = Contexts.bus(context);
          long failed = Contexts.publish(context, "Fails");
          Contexts.publish(context, "Taken");
          awaitLogged(context, failed, "FAILED");
          Eventually.await("delivered", () -> bus.ledger().delivered() == 1);
          Eventually.await("purged", () -> Contexts.rows(context, "event_log") == 1);
          assertThat(Contexts.logged(context, failed)).isEqualTo("FAILED");
          assertThat(bus.ledger().accepted()).isEqualTo(2);
        },
        "eventbus.retention=0s",
        "eventbus.retry.max-attempts=1");
  }

  @Test
  void failedEventsAreKeptForSoLongAndTheLedgerShowsThemAsLost() {
    with(
        context -> {
          EventBus bus = Contexts.bus(context);
          Contexts.publish(context, "Fails");
          Eventually.await("purged", () -> bus.ledger().lost() == 1);
          assertThat(bus.ledger().isAccountedFor()).isTrue();
        },
        "eventbus.failed-retention=0s",
        "eventbus.retry.max-attempts=1");
  }
}
