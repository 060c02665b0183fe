package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import outbox.EventEnvelope;
import outbox.dispatch.LeaseSettings;
import outbox.dispatch.OutboxDispatcher;
import outbox.dispatch.UnhandledPolicy;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;

/** A node whose clock is three hours ahead or behind. */
class WrongClockTest {
  private static final UnhandledPolicy AN_HOUR =
      new UnhandledPolicy(Duration.ofMillis(1), Duration.ofHours(1), false);

  /** Waits and measures as the machine does, and is wrong about the time of day. */
  private static final class Ahead implements TimeSource {
    @Override
    public Instant instant() {
      return TimeSource.system().instant().plus(Duration.ofHours(3));
    }

    @Override
    public long nanoTime() {
      return TimeSource.system().nanoTime();
    }

    @Override
    public Alarm newAlarm() {
      return TimeSource.system().newAlarm();
    }
  }

  @EachDatabase
  void anEventWithoutAListenerIsNotDeadBeforeItsTime(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      String id = Nodes.publish(nodes.made(JdbcOutboxBuilder::publishOnly), Nodes.event("Unheard"));
      Counts counts = new Counts();
      DataSourceConnectionProvider connections = new DataSourceConnectionProvider(nodes.pool);
      JdbcOutboxRepository store = new JdbcOutboxRepository();
      TimeSource ahead = new Ahead();
      try (OutboxDispatcher dispatcher =
              OutboxDispatcher.builder(connections, store, new DefaultListenerRegistry())
                  .lease(LeaseSettings.of("ahead"))
                  .unhandled(AN_HOUR)
                  .metrics(counts)
                  .time(ahead)
                  .build();
          OutboxPoller poller =
              new OutboxPoller(connections, store, dispatcher, Duration.ZERO, 10, 10, counts)) {
        poller.start();
        Eventually.await("released three times", () -> counts.released.get() >= 3);
        assertThat(nodes.table.status(id)).isNotEqualTo(EventStatus.DEAD);
        assertThat(counts.lagMs.get()).isLessThan(Duration.ofHours(1).toMillis());
      }
    }
  }

  @EachDatabase
  void theLagIsHowLongAnEventHasBeenDueByTheDatabasesClock(TestDatabase database) throws Exception {
    for (Duration wrong : List.of(Duration.ofHours(-3), Duration.ofHours(3))) {
      try (Nodes nodes = Nodes.on(database)) {
        String id = publishedOnAClockOffBy(wrong, nodes);
        nodes.table.update(
            "UPDATE outbox_event SET available_at = TIMESTAMP '2020-01-01 00:00:00' WHERE event_id = ?",
            id);
        AtomicLong longest = new AtomicLong();
        Counts counts =
            new Counts() {
              @Override
              public void recordOldestLagMs(long ms) {
                longest.accumulateAndGet(ms, Math::max);
              }
            };
        nodes.started(b -> b.metrics(counts).listener("Made", nodes.recording()));
        Eventually.await("delivered", () -> nodes.delivered.contains(id));
        Eventually.await("a lag", () -> longest.get() > 0);
        Instant due = Instant.parse("2020-01-01T00:00:00Z");
        assertThat(Duration.ofMillis(longest.get()))
            .isCloseTo(Duration.between(due, Instant.now()), Duration.ofHours(1));
      }
    }
  }

  @EachDatabase
  void aMinimumAgeDoesNotHideTheEventsOfAPublisherWhoseClockIsAhead(TestDatabase database)
      throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      String id = publishedOnAClockOffBy(Duration.ofHours(3), nodes);
      nodes.started(
          b -> b.pollSkipRecent(Duration.ofMillis(50)).listener("Made", nodes.recording()));
      Eventually.await("delivered", () -> nodes.delivered.contains(id));
    }
  }

  @EachDatabase
  void aMinimumAgeHidesTheNewEventsOfAPublisherWhoseClockIsBehind(TestDatabase database)
      throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      String id = publishedOnAClockOffBy(Duration.ofHours(-3), nodes);
      Counts counts = new Counts();
      nodes.started(
          b ->
              b.metrics(counts)
                  .pollSkipRecent(Duration.ofHours(1))
                  .listener("Made", nodes.recording()));
      Eventually.await("three polls", () -> counts.lagRecords.get() >= 3);
      assertThat(nodes.table.status(id)).isEqualTo(EventStatus.NEW);
    }
  }

  private static String publishedOnAClockOffBy(Duration wrong, Nodes nodes) {
    EventEnvelope event =
        EventEnvelope.builder("Made")
            .occurredAt(Instant.now().plus(wrong))
            .payloadJson("{}")
            .build();
    return Nodes.publish(nodes.made(JdbcOutboxBuilder::publishOnly), event);
  }
}
