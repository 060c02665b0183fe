package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.RetryAfterException;
import outbox.model.EventStatus;

/** Events of one aggregate arrive in the order of their commits, on any number of nodes. */
@Timeout(300)
class OrderedDeliveryTest {
  private static final int NODES = 3;
  private static final int AGGREGATES = 20;
  private static final int EVENTS = 25;
  private static final String STUCK = "aggregate-7";

  /** The first delivery of each event of an aggregate, and any that came before its turn. */
  private static final class Deliveries {
    private final Map<String, List<Integer>> succeeded = new ConcurrentHashMap<>();
    private final List<String> early = new ArrayList<>();

    synchronized void attempted(String aggregate, int number) {
      int expected = succeeded.getOrDefault(aggregate, List.of()).size();
      if (number > expected) {
        early.add(aggregate + " #" + number + " before #" + expected);
      }
    }

    synchronized void succeeded(String aggregate, int number) {
      succeeded.computeIfAbsent(aggregate, a -> new ArrayList<>()).add(number);
    }
  }

  private static EventEnvelope ordered(String aggregate, int number) {
    return EventEnvelope.builder("T")
        .aggregateType("A")
        .aggregateId(aggregate)
        .ordered()
        .payloadJson(Integer.toString(number))
        .build();
  }

  private static List<Integer> publish(List<JdbcOutbox> nodes, String aggregate) {
    for (int number = 0; number < EVENTS; number++) {
      Nodes.publish(nodes.get(number % nodes.size()), ordered(aggregate, number));
    }
    return List.of();
  }

  private static void publishAll(List<JdbcOutbox> nodes) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try {
      List<Callable<List<Integer>>> tasks = new ArrayList<>();
      for (int i = 0; i < AGGREGATES; i++) {
        String aggregate = "aggregate-" + i;
        tasks.add(() -> publish(nodes, aggregate));
      }
      for (Future<List<Integer>> task : threads.invokeAll(tasks)) {
        task.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @EachDatabase
  void eachAggregateInTheOrderOfItsCommitsAndAStuckOneDelaysNoOther(TestDatabase database)
      throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    Deliveries deliveries = new Deliveries();
    try (Nodes nodes = Nodes.on(database)) {
      List<JdbcOutbox> all = new ArrayList<>();
      for (int i = 0; i < NODES; i++) {
        all.add(
            nodes.started(
                b ->
                    b.maxAttempts(1_000)
                        .retryPolicy(attempts -> 1)
                        .listener("T", event -> deliver(event, deliveries, random))));
      }
      publishAll(all);
      int free = (AGGREGATES - 1) * EVENTS;
      Eventually.await(
          "all but the stuck one, seed " + seed,
          Duration.ofSeconds(200),
          () -> nodes.table.countOf(EventStatus.DONE) == free);
      assertThat(deliveries.early).as("seed " + seed).isEmpty();
      List<Integer> inOrder = IntStream.range(0, EVENTS).boxed().toList();
      for (int i = 0; i < AGGREGATES; i++) {
        String aggregate = "aggregate-" + i;
        if (!aggregate.equals(STUCK)) {
          assertThat(deliveries.succeeded.get(aggregate))
              .as(aggregate + ", seed " + seed)
              .isEqualTo(inOrder);
        }
      }
      assertThat(deliveries.succeeded).doesNotContainKey(STUCK);
    }
  }

  private static void deliver(EventEnvelope event, Deliveries deliveries, Random random)
      throws RetryAfterException {
    int number = Integer.parseInt(event.payloadJson());
    deliveries.attempted(event.aggregateId(), number);
    if (STUCK.equals(event.aggregateId())) {
      throw new RetryAfterException(Duration.ofHours(1));
    }
    if (random.nextInt(10) == 0) {
      throw new IllegalStateException("by chance");
    }
    deliveries.succeeded(event.aggregateId(), number);
  }
}
