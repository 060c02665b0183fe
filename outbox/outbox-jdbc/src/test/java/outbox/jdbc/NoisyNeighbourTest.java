package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import outbox.EventListener;
import outbox.model.EventStatus;

/** A type whose listeners are slow leaves workers to the others. */
@Timeout(120)
class NoisyNeighbourTest {
  private final Semaphore end = new Semaphore(0);
  private final AtomicInteger slow = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  private EventListener waiting(Nodes nodes) {
    return event -> {
      most.accumulateAndGet(slow.incrementAndGet(), Math::max);
      nodes.delivered.add("slow");
      end.acquire();
      slow.decrementAndGet();
    };
  }

  private static void publish(JdbcOutbox node, String type, int count) {
    for (int i = 0; i < count; i++) {
      Nodes.publish(node, Nodes.event(type));
    }
  }

  @EachDatabase
  void aTypeHasNoMoreWorkersThanItMay(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox publisher = nodes.made(b -> b.publishOnly());
      publish(publisher, "Slow", 30);
      publish(publisher, "Quick", 5);
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.workers(4)
                      .concurrency("Slow", 2)
                      .listener("Slow", waiting(nodes))
                      .listener("Quick", nodes.recording()));
      Eventually.await("claimed", () -> nodes.table.countOf(EventStatus.DONE) == 5);
      publish(node, "Slow", 30);
      publish(node, "Quick", 5);
      Eventually.await("published here", () -> nodes.table.countOf(EventStatus.DONE) == 10);
      end.release(60);
      Eventually.await("all", () -> nodes.table.countOf(EventStatus.DONE) == 70);
      assertThat(most).hasValue(2);
    }
  }

  @EachDatabase
  void aFreeWorkerTakesATypeThatHasNone(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.workers(2)
                      .listener("Slow", waiting(nodes))
                      .listener("Quick", event -> nodes.delivered.add("quick")));
      publish(node, "Slow", 10);
      Eventually.await("busy", () -> slow.get() == 2);
      publish(node, "Quick", 3);
      end.release();
      Eventually.await("quick", () -> nodes.delivered.size() >= 5);
      assertThat(nodes.delivered).startsWith("slow", "slow", "quick", "quick", "quick");
      end.release(10);
      Eventually.await("all", () -> nodes.table.countOf(EventStatus.DONE) == 13);
    }
  }
}
