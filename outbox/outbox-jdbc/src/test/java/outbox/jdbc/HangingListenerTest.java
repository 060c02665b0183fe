package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.model.EventStatus;

/** Listeners that run longer than they may. */
@Timeout(120)
class HangingListenerTest {

  @EachDatabase
  void theNextEventOfTheAggregateWaitsUntilTheListenerReturns(TestDatabase database)
      throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.workers(2)
                      .listenerTimeout(Duration.ofMillis(50))
                      .listener(
                          "T",
                          event -> {
                            nodes.delivered.add(event.payloadJson());
                            if (runs.incrementAndGet() == 1) {
                              while (end.getCount() > 0) {
                                if (Thread.currentThread().isInterrupted()) {
                                  interrupted.countDown(); // and goes on
                                }
                              }
                            }
                          }));
      Nodes.publish(node, ordered("a", 1));
      Eventually.await("hangs", () -> runs.get() == 1);
      Nodes.publish(node, ordered("a", 2));
      Nodes.publish(node, ordered("b", 3));
      Nodes.publish(node, ordered("c", 4));
      Eventually.await("others", () -> nodes.table.countOf(EventStatus.DONE) == 2);
      assertThat(nodes.delivered).containsExactlyInAnyOrder("1", "3", "4");
      interrupted.await();
      end.countDown();
      Eventually.await("all", () -> nodes.table.countOf(EventStatus.DONE) == 4);
      assertThat(nodes.delivered.stream().filter(payload -> payload.compareTo("3") < 0))
          .as("failed, tried again, and only then the next")
          .containsExactly("1", "1", "2");
    }
  }

  private static EventEnvelope ordered(String aggregate, int number) {
    return EventEnvelope.builder("T")
        .aggregateType("Order")
        .aggregateId(aggregate)
        .ordered()
        .payloadJson(String.valueOf(number))
        .build();
  }
}
