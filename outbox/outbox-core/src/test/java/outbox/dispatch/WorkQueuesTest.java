package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.threads.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;

/** The two queues and the decision who runs an event, under many threads. */
class WorkQueuesTest {
  private final ExecutorService pool = Executors.newFixedThreadPool(12);

  @AfterEach
  void stop() throws InterruptedException {
    pool.shutdownNow();
    assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
  }

  private static Delivery delivery() {
    EventEnvelope event = EventEnvelope.ofJson("A", "1");
    return Delivery.unleased(new QueuedEvent(event, QueuedEvent.Source.HOT, 0), 0);
  }

  private Future<?> consumer(WorkQueues queues, Queue<Delivery> taken) {
    return pool.submit(
        () -> {
          for (Delivery next = queues.take(); next != null; next = queues.take()) {
            taken.add(next);
            queues.finished();
          }
          return null;
        });
  }

  private Future<?> producer(WorkQueues queues, int count, boolean hot, Queue<Delivery> offered) {
    return pool.submit(
        () -> {
          for (int i = 0; i < count; i++) {
            Delivery delivery = delivery();
            while (!(hot ? queues.offerHot(delivery) : queues.offerCold(delivery))) {
              Thread.onSpinWait();
            }
            offered.add(delivery);
          }
        });
  }

  @Test
  void fourProducersAndFourConsumersLoseAndDoubleNothing() throws Exception {
    WorkQueues queues = new WorkQueues(16, 8);
    Queue<Delivery> offered = new ConcurrentLinkedQueue<>();
    Queue<Delivery> taken = new ConcurrentLinkedQueue<>();
    List<Future<?>> producers = new ArrayList<>();
    List<Future<?>> consumers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      consumers.add(consumer(queues, taken));
      producers.add(producer(queues, 25_000, i % 2 == 0, offered));
    }
    for (Future<?> producer : producers) {
      producer.get(60, TimeUnit.SECONDS);
    }
    Eventually.await("all finished", () -> queues.unfinished() == 0);
    assertThat(queues.stop(4)).isEmpty();
    for (Future<?> consumer : consumers) {
      consumer.get(10, TimeUnit.SECONDS);
    }
    assertThat(taken).hasSize(100_000).doesNotHaveDuplicates();
    assertThat(new java.util.HashSet<>(taken)).isEqualTo(new java.util.HashSet<>(offered));
  }

  @Test
  void stoppingHandsOverTheRestWheneverItComes() throws Exception {
    for (int round = 0; round < 300; round++) {
      WorkQueues queues = new WorkQueues(10, 10);
      Queue<Delivery> accepted = new ConcurrentLinkedQueue<>();
      Queue<Delivery> taken = new ConcurrentLinkedQueue<>();
      CyclicBarrier start = new CyclicBarrier(5);
      List<Future<?>> threads = new ArrayList<>();
      threads.add(consumer(queues, taken));
      threads.add(consumer(queues, taken));
      for (int p = 0; p < 4; p++) {
        boolean hot = p % 2 == 0;
        threads.add(
            pool.submit(
                () -> {
                  start.await();
                  for (int i = 0; i < 20; i++) {
                    Delivery delivery = delivery();
                    if (hot ? queues.offerHot(delivery) : queues.offerCold(delivery)) {
                      accepted.add(delivery);
                    }
                  }
                  return null;
                }));
      }
      start.await();
      List<Delivery> left = queues.stop(2);
      for (Future<?> thread : threads) {
        thread.get(10, TimeUnit.SECONDS);
      }
      List<Delivery> seen = new ArrayList<>(taken);
      seen.addAll(left);
      assertThat(seen).as("round %d", round).doesNotHaveDuplicates();
      assertThat(seen).as("round %d: all that were taken in", round).containsAll(accepted);
      assertThat(queues.hotDepth() + queues.coldDepth()).as("round %d", round).isZero();
    }
  }

  @Test
  void aStoppedQueueTakesNothing() throws Exception {
    WorkQueues queues = new WorkQueues(10, 10);
    Delivery hot = delivery();
    Delivery cold = delivery();
    assertThat(queues.offerHot(hot)).isTrue();
    assertThat(queues.offerCold(cold)).isTrue();
    assertThat(queues.unfinished()).isEqualTo(2);
    assertThat(queues.stop(1)).containsExactly(hot, cold);
    assertThat(queues.offerHot(delivery())).isFalse();
    assertThat(queues.offerCold(delivery())).isFalse();
    assertThat(queues.take()).isNull();
    assertThat(queues.unfinished()).isZero();
  }

  @Test
  void everyFourthTurnBelongsToTheColdQueue() throws Exception {
    WorkQueues queues = new WorkQueues(10, 10);
    List<Delivery> cold = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      queues.offerHot(delivery());
      Delivery delivery = delivery();
      cold.add(delivery);
      queues.offerCold(delivery);
    }
    StringBuilder order = new StringBuilder();
    for (int i = 0; i < 16; i++) {
      order.append(cold.contains(queues.take()) ? 'c' : 'h');
    }
    assertThat(order).hasToString("hhhchhhchhcccccc");
  }

  @Test
  void anEventIsEitherRunOrLeftAndByOneThreadOnly() throws Exception {
    for (int round = 0; round < 2_000; round++) {
      Delivery delivery = delivery();
      CyclicBarrier start = new CyclicBarrier(4);
      AtomicInteger won = new AtomicInteger();
      List<Future<?>> threads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        boolean runs = i % 2 == 0;
        threads.add(
            pool.submit(
                () -> {
                  start.await();
                  won.addAndGet((runs ? delivery.begin() : delivery.leave()) ? 1 : 0);
                  return null;
                }));
      }
      for (Future<?> thread : threads) {
        thread.get(10, TimeUnit.SECONDS);
      }
      assertThat(won).as("round %d", round).hasValue(1);
      assertThat(delivery.begin() || delivery.leave()).isFalse();
      assertThat(delivery.hasWaitedSince(Long.MAX_VALUE)).as("it waits no more").isFalse();
    }
  }
}
