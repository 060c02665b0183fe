package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import outbox.model.EventStatus;

/** A node whose listeners hang leaves events to the others. */
@Timeout(180)
class HungNodeTest {
  /** Longer than a worker may be busy that is about to be free. */
  private static final Duration LONG = Duration.ofMillis(1_100);

  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger hanging = new AtomicInteger();

  /** A node that has delivered quickly, so that it claims ahead, and then hangs on all workers. */
  private JdbcOutbox hung(Nodes nodes) throws Exception {
    JdbcOutbox node =
        nodes.started(
            b ->
                b.workers(2)
                    .pollInterval(Duration.ofMillis(10)) // sooner than another node starts
                    .lease(Nodes.shortLease("hung"))
                    .listener("Ok", event -> {})
                    .listener(
                        "Hang",
                        event -> {
                          hanging.incrementAndGet();
                          end.await();
                        }));
    publish(node, "Ok", 50);
    Eventually.await("quick ones", () -> nodes.table.countOf(EventStatus.DONE) == 50);
    publish(node, "Hang", 2);
    Eventually.await("hangs", () -> hanging.get() == 2);
    Duration both = node.dispatcher().longestRunning().plus(LONG);
    Eventually.await("both for long", () -> node.dispatcher().longestRunning().compareTo(both) > 0);
    return node;
  }

  private static void publish(JdbcOutbox node, String type, int count) {
    try (JdbcTransactionManager.Transaction tx = node.begin()) {
      node.publishAll(Collections.nCopies(count, type).stream().map(Nodes::event).toList());
      tx.commit();
    }
  }

  @EachDatabase
  void itClaimsNothing(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox hung = hung(nodes);
      publish(nodes.made(b -> b.publishOnly()), "Ok", 300);
      nodes.started(b -> b.lease(Nodes.shortLease("free")).listener("Ok", nodes.recording()));
      Eventually.await("all", () -> nodes.table.countOf(EventStatus.DONE) == 350);
      assertThat(nodes.delivered).hasSize(300);
      assertThat(hung.dispatcher().inFlight()).isEqualTo(2);
      end.countDown();
    }
  }

  @EachDatabase
  void whatWaitsThereIsReleasedForTheOthersAndNotClaimedAgain(TestDatabase database)
      throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox hung = hung(nodes);
      publish(hung, "Ok", 100);
      assertThat(hung.dispatcher().hotDepth()).as("as long as it is alone").isEqualTo(100);
      nodes.started(b -> b.lease(Nodes.shortLease("free")).listener("Ok", nodes.recording()));
      Eventually.await("all", () -> nodes.table.countOf(EventStatus.DONE) == 150);
      assertThat(nodes.delivered).hasSize(100);
      assertThat(hung.dispatcher().hotDepth() + hung.dispatcher().coldDepth())
          .as("nor kept in memory")
          .isZero();
      end.countDown();
    }
  }
}
