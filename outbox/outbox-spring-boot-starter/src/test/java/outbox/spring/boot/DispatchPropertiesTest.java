package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.threads.Eventually;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import outbox.EventEnvelope;
import outbox.dispatch.OutboxDispatcher;
import outbox.jdbc.JdbcOutbox;
import outbox.spi.MetricsExporter;

/** What the properties of delivery and retry change in a running application. */
class DispatchPropertiesTest {

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

  private static OutboxDispatcher dispatcher(AssertableApplicationContext context) {
    return context.getBean(JdbcOutbox.class).dispatcher();
  }

  private static long count(AssertableApplicationContext context, OutboxMeter meter) {
    return context.getBean(OutboxCounters.class).value(meter);
  }

  private static void awaitHeld(AssertableApplicationContext context, int events) throws Exception {
    Eventually.await("held", () -> context.getBean(Desk.class).held() == events);
  }

  private static void awaitStatus(AssertableApplicationContext context, String id, int status)
      throws Exception {
    Eventually.await("status " + status, () -> Contexts.status(context, id) == status);
  }

  @Test
  void listenersAreInterruptedAfterSoLong() {
    with(
        context -> {
          String id = Contexts.publish(context, "Held", "{}");
          awaitStatus(context, id, 2);
        },
        "outbox.listener-timeout=50ms",
        "outbox.retry-base-delay=1h",
        "outbox.retry-max-delay=1h");
  }

  @Test
  void listenersOfATypeAreInterruptedAfterSoLong() {
    with(
        context -> {
          String id = Contexts.publish(context, "Held", "{}");
          awaitStatus(context, id, 2);
        },
        "outbox.listener-timeout=1h",
        "outbox.listener-timeouts.Held=50ms",
        "outbox.retry-base-delay=1h",
        "outbox.retry-max-delay=1h");
  }

  @Test
  void noMoreBytesAreInFlightThanAllowed() {
    with(
        context -> {
          Contexts.publish(context, "Held", "{}");
          awaitHeld(context, 1);
          Contexts.publish(context, "Held", "{}");
          assertThat(dispatcher(context).inFlight()).isEqualTo(1);
          assertThat(count(context, OutboxMeter.HOT_DROPPED)).isEqualTo(1);
        },
        "outbox.max-in-flight-bytes=1");
  }

  @Test
  void soManyWorkersDeliverAtTheSameTime() {
    with(
        context -> {
          for (int i = 0; i < 3; i++) {
            Contexts.publish(context, "Held", "{}");
          }
          awaitHeld(context, 2);
          Eventually.await("one waits", () -> dispatcher(context).hotDepth() == 1);
        },
        "outbox.workers=2");
  }

  @Test
  void soManyOfATypeAreDeliveredAtTheSameTime() {
    with(
        context -> {
          for (int i = 0; i < 3; i++) {
            Contexts.publish(context, "Held", "{}");
          }
          awaitHeld(context, 1);
          Eventually.await("two wait", () -> dispatcher(context).hotDepth() == 2);
        },
        "outbox.concurrency.Held=1");
  }

  @Test
  void theHotQueueTakesSoManyAndLeavesTheOthers() {
    with(
        context -> {
          Contexts.publish(context, "Held", "{}");
          awaitHeld(context, 1);
          Contexts.publish(context, "Held", "{}");
          Contexts.publish(context, "Held", "{}");

          assertThat(dispatcher(context).hotDepth()).isEqualTo(1);
          assertThat(count(context, OutboxMeter.HOT_DROPPED)).isEqualTo(1);
        },
        "outbox.workers=1",
        "outbox.hot-queue-capacity=1");
  }

  @Test
  void theColdQueueTakesSoManyAndTheOthersStayFree() {
    with(
        context -> {
          for (int i = 0; i < 20; i++) { // what is quick lets it claim ahead
            Contexts.insertRow(context, "Taken");
          }
          Eventually.await("quick", () -> count(context, OutboxMeter.DISPATCH_SUCCESS) == 20);
          for (int i = 0; i < 5; i++) {
            Contexts.insertRow(context, "Held");
          }
          awaitHeld(context, 1);
          Eventually.await("one waits", () -> dispatcher(context).coldDepth() == 1);

          assertThat(
                  context
                      .getBean(JdbcTemplate.class)
                      .queryForObject(
                          "SELECT COUNT(*) FROM outbox_event"
                              + " WHERE claimed_by IS NULL AND status = 0",
                          Integer.class))
              .isEqualTo(3);
        },
        "outbox.workers=1",
        "outbox.cold-queue-capacity=1",
        "outbox.poll-interval=10ms");
  }

  @Test
  void theTableIsLookedIntoAtLeastSoOften() {
    with(
        context -> {
          long before = System.nanoTime();
          for (int i = 0;
              i < 3;
              i++) { // with the default, each would wait for four seconds or more
            String id = Contexts.insertRow(context, "Taken");
            awaitStatus(context, id, 1);
          }
          assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - before)).isLessThan(8);
        },
        "outbox.poll-interval=20ms");
  }

  /** Counts the most that one look into the table brought. */
  static final class Looks implements MetricsExporter {
    private final AtomicInteger enqueuedSinceLook = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    @Override
    public void incrementColdEnqueued() {
      most.accumulateAndGet(enqueuedSinceLook.incrementAndGet(), Math::max);
    }

    @Override
    public void recordOldestLagMs(long lagMs) {
      enqueuedSinceLook.set(0);
    }

    @Override
    public void incrementHotEnqueued() {}

    @Override
    public void incrementHotDropped() {}

    @Override
    public void incrementDispatchSuccess() {}

    @Override
    public void incrementDispatchFailure() {}

    @Override
    public void incrementDispatchDead() {}

    @Override
    public void recordQueueDepths(int hotDepth, int coldDepth) {}
  }

  @Test
  void noMoreThanSoManyAreFetchedAtATime() {
    Contexts.runner()
        .withBean(Desk.class)
        .withBean(Looks.class)
        .withPropertyValues("outbox.batch-size=2", "outbox.poll-interval=10ms")
        .run(
            context -> {
              JdbcTemplate sql = context.getBean(JdbcTemplate.class);
              // All at once, so that one look could find them all.
              sql.update(
                  "INSERT INTO outbox_event (event_id, event_type, payload, status, attempts,"
                      + " available_at, created_at) SELECT CONCAT('id-', X), 'Taken', JSON '{}', 0,"
                      + " 0, TIMESTAMP '2020-01-01 00:00:00', TIMESTAMP '2020-01-01 00:00:00'"
                      + " FROM SYSTEM_RANGE(1, 9)");

              Eventually.await("all", () -> context.getBean(Desk.class).taken() == 9);
              assertThat(context.getBean(Looks.class).most.get()).isEqualTo(2);
            });
  }

  @Test
  void whatIsYoungerIsLeftAlone() {
    with(
        context -> {
          String young = Contexts.insertRow(context, "Taken", Instant.now());
          String old = Contexts.insertRow(context, "Taken");
          awaitStatus(context, old, 1);

          assertThat(Contexts.status(context, young)).isZero();
        },
        "outbox.poll-skip-recent=3600000ms",
        "outbox.poll-interval=10ms");
  }

  @Test
  void afterSoManyFailuresAnEventIsDead() {
    with(
        context -> {
          String id = Contexts.publish(context, "Fails", "{}");
          awaitStatus(context, id, 3);

          assertThat(Contexts.number(context, id, "attempts")).isEqualTo(2);
        },
        "outbox.retry-max-attempts=2",
        "outbox.retry-base-delay=1ms");
  }

  @Test
  void afterFailingForSoLongAnEventIsDead() {
    with(
        context -> {
          String id = Contexts.publish(context, "Fails", "{}");
          awaitStatus(context, id, 3);

          assertThat(Contexts.number(context, id, "attempts")).isEqualTo(2);
        },
        "outbox.retry-for=1ms",
        "outbox.retry-base-delay=50ms");
  }

  @Test
  void soManyLostNodesMakeAnEventDead() {
    with(
        context -> {
          String id = Contexts.publish(context, "Fails", "{}");
          awaitStatus(context, id, 2);
          context
              .getBean(JdbcTemplate.class)
              .update(
                  "UPDATE outbox_event SET lapses = 3, available_at = created_at WHERE event_id = ?",
                  id);
          awaitStatus(context, id, 3);

          assertThat(Contexts.number(context, id, "attempts")).isEqualTo(1);
        },
        "outbox.max-lapses=2",
        "outbox.retry-base-delay=1h",
        "outbox.retry-max-delay=1h",
        "outbox.poll-interval=20ms");
  }

  @Test
  void aFailedEventWaitsForSoLong() {
    with(
        context -> {
          String id = Contexts.publish(context, "Fails", "{}");
          awaitStatus(context, id, 2);

          assertThat(Contexts.minutesUntilDue(context, id)).isBetween(14L, 46L);
        },
        "outbox.retry-base-delay=1800000ms",
        "outbox.retry-max-delay=36000000ms");
  }

  @Test
  void noWaitIsLongerThanTheLongest() {
    with(
        context -> {
          String id = Contexts.publish(context, "Fails", "{}");
          awaitStatus(context, id, 3);

          assertThat(Contexts.number(context, id, "attempts")).isEqualTo(14);
        },
        "outbox.retry-base-delay=5ms",
        "outbox.retry-max-delay=5ms", // doubled each time, the last would be 40 seconds
        "outbox.retry-max-attempts=14");
  }

  @Test
  void aDeadEventLetsTheOthersOfItsAggregatePassIfToldSo() {
    with(
        context -> {
          String dead = Contexts.publish(context, ordered("Fails"));
          awaitStatus(context, dead, 3);
          awaitStatus(context, Contexts.publish(context, ordered("Taken")), 1);
        },
        "outbox.on-dead=skip",
        "outbox.retry-max-attempts=1");
  }

  private static EventEnvelope ordered(String type) {
    return EventEnvelope.builder(type)
        .aggregateType("Order")
        .aggregateId("1")
        .ordered()
        .payloadJson("{}")
        .build();
  }
}
