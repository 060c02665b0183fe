package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import outbox.dispatch.LeaseSettings;
import outbox.dispatch.OutboxDispatcher;
import outbox.dispatch.UnhandledPolicy;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;

/** A node whose clock is three hours ahead. */
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
              new OutboxPoller(
                  connections, store, dispatcher, Duration.ZERO, 10, 10, counts, ahead)) {
        poller.start();
        Eventually.await("released three times", () -> counts.released.get() >= 3);
        assertThat(nodes.table.status(id)).isNotEqualTo(EventStatus.DEAD);
      }
    }
  }
}
