package outbox;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.lifecycle.CloseReport;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import outbox.memory.MemoryTable;
import outbox.memory.PlainOutbox;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;

/**
 * The law of the outbox under random operations: a committed event is DONE, DEAD or still to be
 * delivered; a rolled-back one never existed; what never failed was delivered once.
 */
class LawTest {
  private static final int SHORT = 100;
  private static final int LONG = 5000;

  private final CapturedLog log = new CapturedLog("outbox");

  @AfterEach
  void stopListening() {
    log.close();
  }

  /** One life of a node, decided by a seed. */
  private static final class Life {
    final long seed;
    final Random random;
    final Random luck;
    final PlainOutbox node;
    final int maxAttempts;
    final Map<String, AtomicInteger> deliveries = new ConcurrentHashMap<>();
    final Set<String> failed = ConcurrentHashMap.newKeySet();
    final Set<String> committed = ConcurrentHashMap.newKeySet();
    final Set<String> rolledBack = ConcurrentHashMap.newKeySet();

    Life(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
      this.luck = new Random(~seed);
      this.maxAttempts = 1 + random.nextInt(3);
      int workers = 1 + random.nextInt(3);
      int hot = 1 + random.nextInt(20);
      int cold = 1 + random.nextInt(20);
      this.node =
          new PlainOutbox(
              b ->
                  b.workers(workers)
                      .hotQueueCapacity(hot)
                      .coldQueueCapacity(cold)
                      .maxAttempts(maxAttempts)
                      .retryPolicy(attempts -> attempts % 2));
      node.listeners.registerAll(listener(random.nextInt(3)));
      node.table.fault = this::strike;
    }

    private EventListener listener(int kind) {
      AsyncEventListener async =
          event ->
              CompletableFuture.supplyAsync(() -> failureOf(event))
                  .thenCompose(
                      failure ->
                          failure == null
                              ? CompletableFuture.completedFuture(event)
                              : CompletableFuture.failedFuture(failure));
      BatchEventListener batches =
          events -> {
            Map<String, Exception> failures = new HashMap<>();
            for (EventEnvelope event : events) {
              Exception failure = failureOf(event);
              if (failure != null) {
                failures.put(event.eventId(), failure);
              }
            }
            return failures;
          };
      return kind == 0 ? this::onEvent : kind == 1 ? async : batches;
    }

    private @Nullable Exception failureOf(EventEnvelope event) {
      try {
        onEvent(event);
        return null;
      } catch (Exception e) {
        return e;
      }
    }

    /** The payload says what is to happen: so many failures, or a hopeless case. */
    private void onEvent(EventEnvelope event) throws Exception {
      int delivery =
          deliveries.computeIfAbsent(event.eventId(), i -> new AtomicInteger()).incrementAndGet();
      int failures = Integer.parseInt(event.payloadJson());
      if (failures < 0) {
        failed.add(event.eventId());
        throw new NonRetryableException("hopeless");
      }
      if (delivery <= failures) {
        failed.add(event.eventId());
        throw new IllegalStateException("failure " + delivery);
      }
    }

    /** One statement in ten fails, though never an insert. */
    private void strike(String statement, String eventId) {
      if (!statement.equals("insert") && luck.nextInt(10) == 0) {
        throw new OutboxException("bad luck", null);
      }
    }

    void operate(OutboxPoller poller) {
      switch (random.nextInt(12)) {
        case 0 -> poller.poll();
        case 1 -> publish(false);
        case 2 -> node.table.down = random.nextInt(3) == 0;
        case 3 -> {
          for (int i = 0; i < 30; i++) {
            publish(true); // more than the queues can take
          }
        }
        default -> publish(true);
      }
    }

    private void publish(boolean commits) {
      int kind = random.nextInt(10);
      String payload = kind < 6 ? "0" : kind == 9 ? "-1" : String.valueOf(kind - 5);
      EventEnvelope event = EventEnvelope.ofJson("Made", payload);
      (commits ? committed : rolledBack).add(event.eventId());
      if (commits) {
        node.transactions.commit(() -> node.client.publish(event));
      } else {
        node.transactions.rollBack(() -> node.client.publish(event));
      }
    }

    void finish(OutboxPoller poller) {
      node.table.down = false;
      node.table.fault = (statement, id) -> {};
      Eventually.await(
          "seed " + seed + ": everything done or dead",
          () -> {
            poller.poll();
            return node.table.all().stream()
                .allMatch(r -> r.status() == EventStatus.DONE || r.status() == EventStatus.DEAD);
          });
    }

    void check(boolean closedEarly, boolean hasty) {
      assertThat(node.table.all())
          .as("seed %d: every committed row and no other", seed)
          .extracting(row -> row.event().eventId())
          .containsExactlyInAnyOrderElementsOf(committed);
      assertThat(rolledBack).as("seed %d: rolled back", seed).noneMatch(deliveries::containsKey);
      for (MemoryTable.Row row : node.table.all()) {
        check(row, closedEarly, hasty);
      }
    }

    private void check(MemoryTable.Row row, boolean closedEarly, boolean hasty) {
      String id = row.event().eventId();
      int count = deliveries.getOrDefault(id, new AtomicInteger()).get();
      int failures = Integer.parseInt(row.event().payloadJson());
      String what = "seed " + seed + ": " + row + " delivered " + count + " times";
      if (row.status() == EventStatus.DONE) {
        assertThat(count).as(what).isEqualTo(failures + 1);
      } else if (row.status() == EventStatus.DEAD) {
        assertThat(failed).as(what).contains(id);
        assertThat(count).as(what).isEqualTo(failures < 0 ? 1 : maxAttempts);
      } else {
        assertThat(closedEarly).as(what).isTrue();
        // An attempt that failed while closing had no patience is released, and does not count.
        assertThat(count - row.attempts()).as(what).isBetween(0, hasty ? 1 : 0);
      }
    }
  }

  private static void live(long seed) {
    Life life = new Life(seed);
    boolean closesEarly = life.random.nextInt(3) == 0;
    boolean hasty = closesEarly && life.random.nextBoolean();
    int batch = 1 + life.random.nextInt(10);
    try (OutboxPoller poller = life.node.poller(batch, Duration.ofMillis(5))) {
      if (life.random.nextBoolean()) {
        poller.start();
      }
      int operations = 20 + life.random.nextInt(60);
      for (int i = 0; i < operations; i++) {
        life.operate(poller);
      }
      if (!closesEarly) {
        life.finish(poller);
      }
    }
    life.node.table.down = false;
    CloseReport report = life.node.dispatcher.close(hasty ? Duration.ZERO : Duration.ofSeconds(20));
    assertThat(hasty || report.isClean()).as("seed %d: %s", seed, report).isTrue();
    life.node.awaitIdle();
    life.check(closesEarly, hasty);
  }

  @Test
  void whateverHappensNothingIsLostOrMadeUp() throws Exception {
    live(0, SHORT);
  }

  @Test
  @Tag("long")
  void whateverHappensNothingIsLostOrMadeUpInThousandsOfLives() throws Exception {
    live(SHORT, LONG);
  }

  private static void live(long first, int count) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Void>> lives = new ArrayList<>();
      for (long seed = first; seed < first + count; seed++) {
        long number = seed;
        lives.add(
            () -> {
              live(number);
              return null;
            });
      }
      for (Future<Void> life : pool.invokeAll(lives)) {
        life.get();
      }
    } finally {
      pool.shutdown();
    }
  }
}
