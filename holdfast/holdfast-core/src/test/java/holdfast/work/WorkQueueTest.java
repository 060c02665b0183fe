package holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;

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

/** The queue and the decision who runs an event, under many threads. */
class WorkQueueTest {
  private final ExecutorService pool = Executors.newFixedThreadPool(12);

  @AfterEach
  void stop() throws InterruptedException {
    pool.shutdownNow();
    assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
  }

  private static WorkQueue<TestItem> queue(int committed, int claimed) {
    return new WorkQueue<>(committed, claimed, type -> Integer.MAX_VALUE);
  }

  private static TestItem item() {
    return TestItem.of("an item");
  }

  private Future<?> consumer(WorkQueue<TestItem> queue, Queue<TestItem> taken) {
    return pool.submit(
        () -> {
          for (TestItem next = queue.take(); next != null; next = queue.take()) {
            taken.add(next);
            queue.finished(next, 1, true);
          }
          return null;
        });
  }

  private Future<?> producer(
      WorkQueue<TestItem> queue, int count, boolean committed, Queue<TestItem> offered) {
    return pool.submit(
        () -> {
          for (int i = 0; i < count; i++) {
            TestItem item = item();
            while (!(committed ? queue.offerCommitted(item) : queue.offerClaimed(item))) {
              Thread.onSpinWait();
            }
            offered.add(item);
          }
        });
  }

  @Test
  void fourProducersAndFourConsumersLoseAndDoubleNothing() throws Exception {
    WorkQueue<TestItem> queue = queue(16, 8);
    Queue<TestItem> offered = new ConcurrentLinkedQueue<>();
    Queue<TestItem> taken = new ConcurrentLinkedQueue<>();
    List<Future<?>> producers = new ArrayList<>();
    List<Future<?>> consumers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      consumers.add(consumer(queue, taken));
      producers.add(producer(queue, 25_000, i % 2 == 0, offered));
    }
    for (Future<?> producer : producers) {
      producer.get(60, TimeUnit.SECONDS);
    }
    while (queue.unfinished() > 0) {
      Thread.onSpinWait();
    }
    assertThat(queue.stop()).isEmpty();
    for (Future<?> consumer : consumers) {
      consumer.get(10, TimeUnit.SECONDS);
    }
    assertThat(taken).hasSize(100_000).doesNotHaveDuplicates();
    assertThat(new java.util.HashSet<>(taken)).isEqualTo(new java.util.HashSet<>(offered));
  }

  @Test
  void stoppingHandsOverTheRestWheneverItComes() throws Exception {
    for (int round = 0; round < 300; round++) {
      WorkQueue<TestItem> queue = queue(10, 10);
      Queue<TestItem> accepted = new ConcurrentLinkedQueue<>();
      Queue<TestItem> taken = new ConcurrentLinkedQueue<>();
      CyclicBarrier start = new CyclicBarrier(5);
      List<Future<?>> threads = new ArrayList<>();
      threads.add(consumer(queue, taken));
      threads.add(consumer(queue, taken));
      for (int p = 0; p < 4; p++) {
        boolean committed = p % 2 == 0;
        threads.add(
            pool.submit(
                () -> {
                  start.await();
                  for (int i = 0; i < 20; i++) {
                    TestItem item = item();
                    if (committed ? queue.offerCommitted(item) : queue.offerClaimed(item)) {
                      accepted.add(item);
                    }
                  }
                  return null;
                }));
      }
      start.await();
      List<TestItem> left = queue.stop();
      for (Future<?> thread : threads) {
        thread.get(10, TimeUnit.SECONDS);
      }
      List<TestItem> seen = new ArrayList<>(taken);
      seen.addAll(left);
      assertThat(seen).as("round %d", round).doesNotHaveDuplicates();
      assertThat(seen).as("round %d: all that were taken in", round).containsAll(accepted);
      assertThat(queue.committedSize() + queue.claimedSize()).as("round %d", round).isZero();
    }
  }

  @Test
  void aStoppedQueueTakesNothing() throws Exception {
    WorkQueue<TestItem> queue = queue(10, 10);
    TestItem committed = item();
    TestItem claimed = item();
    assertThat(queue.offerCommitted(committed)).isTrue();
    assertThat(queue.offerClaimed(claimed)).isTrue();
    assertThat(queue.unfinished()).isEqualTo(2);
    assertThat(queue.stop()).containsExactly(committed, claimed);
    assertThat(queue.offerCommitted(item())).isFalse();
    assertThat(queue.offerClaimed(item())).isFalse();
    assertThat(queue.take()).isNull();
    assertThat(queue.unfinished()).isZero();
  }

  @Test
  void everyFourthTurnBelongsToTheClaimedOnes() throws Exception {
    WorkQueue<TestItem> queue = queue(10, 10);
    List<TestItem> cold = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      queue.offerCommitted(item());
      TestItem item = item();
      cold.add(item);
      queue.offerClaimed(item);
    }
    StringBuilder order = new StringBuilder();
    for (int i = 0; i < 16; i++) {
      order.append(cold.contains(queue.take()) ? 'c' : 'h');
    }
    assertThat(order).hasToString("hhhchhhchhcccccc");
  }

  @Test
  void anEventIsEitherRunOrLeftAndByOneThreadOnly() throws Exception {
    for (int round = 0; round < 2_000; round++) {
      TestItem item = item();
      CyclicBarrier start = new CyclicBarrier(4);
      AtomicInteger won = new AtomicInteger();
      List<Future<?>> threads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        boolean runs = i % 2 == 0;
        threads.add(
            pool.submit(
                () -> {
                  start.await();
                  won.addAndGet((runs ? item.begin() : item.leave()) ? 1 : 0);
                  return null;
                }));
      }
      for (Future<?> thread : threads) {
        thread.get(10, TimeUnit.SECONDS);
      }
      assertThat(won).as("round %d", round).hasValue(1);
      assertThat(item.begin() || item.leave()).isFalse();
      assertThat(item.hasWaitedSince(Long.MAX_VALUE)).as("it waits no more").isFalse();
    }
  }

  @Test
  void claimedOnesAreTakenByPriorityAndThenInOrder() throws Exception {
    WorkQueue<TestItem> queue = queue(1, 10);
    for (String id : List.of("b1", "a1", "b2", "a2")) {
      queue.offerClaimed(new TestItem(id, "T", id.charAt(0)));
    }
    List<String> order = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      order.add(String.valueOf(queue.take()));
    }
    assertThat(order).containsExactly("a1", "a2", "b1", "b2");
  }

  @Test
  void theListenerIsCalledOnceWhenClaimedOnesHaveBecomeFew() throws Exception {
    WorkQueue<TestItem> queue = queue(1, 4);
    AtomicInteger calls = new AtomicInteger();
    queue.onRoom(calls::incrementAndGet);
    for (int i = 0; i < 4; i++) {
      queue.offerClaimed(item());
    }
    assertThat(queue.claimedRoom()).isZero();
    assertThat(queue.holdsAtMost(2)).isFalse();
    queue.take();
    assertThat(calls).hasValue(0);
    queue.take();
    queue.take();
    assertThat(calls).hasValue(1);
    assertThat(queue.holdsAtMost(2)).isTrue();
  }

  private static TestItem of(String type, String id) {
    return new TestItem(id, type, 0);
  }

  private static String next(WorkQueue<TestItem> queue) throws InterruptedException {
    return String.valueOf(queue.take());
  }

  @Test
  void aTypeThatNoWorkerHasGoesFirst() throws Exception {
    WorkQueue<TestItem> queue = queue(10, 10);
    for (String id : List.of("a1", "a2", "a3")) {
      queue.offerCommitted(of("A", id));
    }
    assertThat(next(queue)).isEqualTo("a1");
    queue.offerClaimed(of("B", "b1"));
    queue.offerClaimed(of("B", "b2"));
    assertThat(next(queue)).isEqualTo("b1");
    assertThat(next(queue)).isEqualTo("a2");
  }

  @Test
  void aTypeWithAsManyWorkersAsItMayHaveWaitsUntilOneIsFinished() throws Exception {
    WorkQueue<TestItem> queue = new WorkQueue<>(10, 10, type -> type.equals("A") ? 1 : 9);
    TestItem first = of("A", "a1");
    queue.offerCommitted(first);
    queue.offerCommitted(of("A", "a2"));
    queue.offerCommitted(of("B", "b1"));
    queue.offerCommitted(of("B", "b2"));
    assertThat(next(queue)).isEqualTo("a1");
    assertThat(next(queue)).isEqualTo("b1");
    assertThat(next(queue)).isEqualTo("b2");
    Future<String> waiting = pool.submit(() -> next(queue));
    queue.workerFreed();
    assertThat(waiting.isDone()).as("though a worker is free").isFalse();
    queue.finished(first, 1, false);
    assertThat(waiting.get(10, TimeUnit.SECONDS)).isEqualTo("a2");
  }

  @Test
  void whatWasReleasedWhileItWaitedIsRemoved() throws Exception {
    WorkQueue<TestItem> queue = queue(10, 10);
    TestItem committed = of("A", "a1");
    TestItem claimed = of("B", "b1");
    TestItem stays = of("B", "b2");
    queue.offerCommitted(committed);
    queue.offerClaimed(claimed);
    queue.offerClaimed(stays);
    committed.leave();
    claimed.leave();
    queue.removeLeft();
    assertThat(queue.committedSize()).isZero();
    assertThat(queue.claimedSize()).isEqualTo(1);
    assertThat(queue.unfinished()).isEqualTo(1);
    assertThat(queue.take()).isSameAs(stays);
    queue.finished(stays, 1, true);
    assertThat(queue.unfinished()).isZero();
  }

  @Test
  void whatIsTakenTogetherIsOfOneTypeAndKeepsOneWorkerBusy() throws Exception {
    WorkQueue<TestItem> queue = queue(10, 10);
    for (String id : List.of("a1", "b1", "a2", "a3", "a4")) {
      queue.offerClaimed(of(id.substring(0, 1), id));
    }
    TestItem first = queue.take();
    assertThat(queue.takeMore(first, 3).toString()).isEqualTo("[a1, a2, a3]");
    assertThat(queue.roomForClaims(4)).as("one busy, two wait").isEqualTo(1);
    queue.finished(first, 3, true);
    assertThat(queue.unfinished()).isEqualTo(2);
    assertThat(queue.roomForClaims(4)).isEqualTo(2);
  }

  @Test
  void thePriorityOfWhatTheWorkersWouldTakeNextIsKnown() {
    WorkQueue<TestItem> queue = new WorkQueue<>(10, 10, type -> Integer.MAX_VALUE);
    assertThat(queue.priorityAt(2)).as("nothing waits").isEqualTo(WorkItem.MOST_URGENT);
    queue.offerClaimed(new TestItem("a", "A", 5));
    assertThat(queue.priorityAt(2)).as("of the last").isEqualTo(5);
    queue.offerClaimed(new TestItem("b", "B", 1));
    queue.offerClaimed(new TestItem("c", "B", 3));
    assertThat(queue.priorityAt(1)).isEqualTo(1);
    assertThat(queue.priorityAt(2)).isEqualTo(3);
    assertThat(queue.priorityAt(100)).isEqualTo(5);
    queue.stop();
    assertThat(queue.priorityAt(2)).as("nothing is taken").isEqualTo(WorkItem.MOST_URGENT);
  }
}
