package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.ConnectionPool;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.process.ChildJvm;
import holdfast.testkit.threads.Eventually;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.model.EventStatus;

/** Events whose payloads are large: memory is bounded in bytes, and none is stuck. */
@Timeout(300)
class LargeEventsTest {
  private static final int LARGE = 100_000;

  private static EventEnvelope event(int length, int number) {
    return EventEnvelope.ofJson("T", "\"" + number + "x".repeat(length) + "\"");
  }

  @EachDatabase
  void noMoreBytesAreInFlightThanAllowed(TestDatabase database) throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Queue<String> payloads = new ConcurrentLinkedQueue<>();
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox publisher = nodes.made(b -> b.publishOnly());
      for (int i = 0; i < 12; i++) {
        Nodes.publish(publisher, event(LARGE, i));
        Nodes.publish(publisher, event(1, i));
      }
      nodes.started(
          b ->
              b.workers(8)
                  .maxInFlightBytes(2 * LARGE + LARGE / 2)
                  .listener(
                      "T",
                      event -> {
                        boolean large = event.payloadJson().length() > LARGE;
                        if (large) {
                          most.accumulateAndGet(running.incrementAndGet(), Math::max);
                        }
                        payloads.add(event.payloadJson());
                        if (large) {
                          running.decrementAndGet();
                        }
                      }));
      Eventually.await("all", () -> nodes.table.countOf(EventStatus.DONE) == 24);
      assertThat(most.get()).as("two fit, and one may always be claimed").isBetween(1, 3);
      assertThat(payloads).hasSize(24).doesNotHaveDuplicates();
      assertThat(payloads.stream().filter(payload -> payload.length() > LARGE)).hasSize(12);
    }
  }

  @EachDatabase
  void whatIsLargerThanAllThatIsAllowedIsDelivered(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.started(b -> b.maxInFlightBytes(1_000).listener("T", nodes.recording()));
      List<String> ids =
          List.of(
              Nodes.publish(node, event(LARGE, 1)),
              Nodes.publish(node, event(LARGE, 2)),
              Nodes.publish(node, event(1, 3)));
      Eventually.await("all", () -> nodes.table.countOf(EventStatus.DONE) == 3);
      assertThat(nodes.delivered).containsExactlyInAnyOrderElementsOf(ids);
    }
  }

  /** Delivers until it is killed; says so for each. */
  static final class SmallHeapMain {
    public static void main(String[] args) throws Exception {
      ConnectionPool pool =
          ConnectionPool.over(() -> DriverManager.getConnection(args[0], args[1], args[2]));
      JdbcOutbox.builder(pool)
          .listener("T", event -> System.out.println("delivered " + event.eventId()))
          .build()
          .start();
      new CountDownLatch(1).await();
    }
  }

  @EachDatabase({DatabaseKind.POSTGRESQL, DatabaseKind.MARIADB})
  void aSmallHeapIsEnoughForManyLargeEvents(TestDatabase database) throws Exception {
    int events = 100;
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox publisher = nodes.made(b -> b.publishOnly());
      for (int i = 0; i < events; i++) {
        Nodes.publish(publisher, event(1_048_000, i));
      }
      try (ChildJvm child =
          ChildJvm.of(SmallHeapMain.class, database.url(), database.user(), database.password())
              .jvmOptions("-Xmx96m")
              .start()) {
        child.awaitLines(events, Duration.ofSeconds(120));
        Eventually.await("all", () -> nodes.table.countOf(EventStatus.DONE) == events);
        assertThat(child.lines()).hasSize(events).doesNotHaveDuplicates();
      }
    }
  }
}
