package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.threads.Eventually;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.memory.MemoryTable;
import outbox.memory.PlainOutbox;
import outbox.model.EventStatus;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.MetricsExporter;

/** Slow listeners keep workers busy, queues fill, and the table keeps the rest. */
@Timeout(60)
class BackpressureTest {

  private static QueuedEvent queued(QueuedEvent.Source source) {
    return new QueuedEvent(EventEnvelope.ofJson("Slow", "{}"), source, 0);
  }

  @Test
  void asManyEventsRunAtOnceAsThereAreWorkersEachOnAWorkersThread() {
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Set<String> threads = ConcurrentHashMap.newKeySet();
    try (PlainOutbox node = new PlainOutbox(b -> b.workers(3))) {
      node.listeners
          .register(
              "Slow",
              event -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                threads.add(Thread.currentThread().getName());
                release.await();
              })
          .register("Slow", event -> running.decrementAndGet());
      for (int i = 0; i < 20; i++) {
        node.publish("Slow");
      }
      Eventually.await("all workers busy", () -> running.get() == 3);
      release.countDown();
      Eventually.await("done", () -> node.table.count(EventStatus.DONE) == 20);
      assertThat(most).hasValue(3);
      assertThat(threads).hasSize(3).allMatch(name -> name.startsWith("outbox-worker"));
    }
  }

  @Test
  void unlessConfiguredFourRunAndAThousandOfEachKindWait() {
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger running = new AtomicInteger();
    MemoryTable table = new MemoryTable(holdfast.time.TimeSource.system());
    DefaultListenerRegistry listeners =
        new DefaultListenerRegistry()
            .registerAll(
                event -> {
                  running.incrementAndGet();
                  release.await();
                });
    try (OutboxDispatcher dispatcher = OutboxDispatcher.builder(table, table, listeners).build()) {
      for (int i = 0; i < 4; i++) {
        assertThat(dispatcher.enqueueHot(queued(QueuedEvent.Source.HOT))).isTrue();
      }
      Eventually.await("all workers busy", () -> running.get() == 4);
      for (int i = 0; i < 1_000; i++) {
        assertThat(dispatcher.hasColdQueueCapacity()).isTrue();
        assertThat(dispatcher.enqueueHot(queued(QueuedEvent.Source.HOT))).isTrue();
        assertThat(dispatcher.enqueueCold(queued(QueuedEvent.Source.COLD))).isTrue();
      }
      assertThat(dispatcher.enqueueHot(queued(QueuedEvent.Source.HOT))).isFalse();
      assertThat(dispatcher.enqueueCold(queued(QueuedEvent.Source.COLD))).isFalse();
      assertThat(dispatcher.hasColdQueueCapacity()).isFalse();
      assertThat(running).hasValue(4);
      release.countDown();
    }
  }

  @Test
  void theDepthsOfTheQueuesAreRecorded() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Queue<String> depths = new ConcurrentLinkedQueue<>();
    MemoryTable table = new MemoryTable(holdfast.time.TimeSource.system());
    MetricsExporter metrics = new RecordedDepths(depths);
    DefaultListenerRegistry listeners =
        new DefaultListenerRegistry()
            .registerAll(
                event -> {
                  running.countDown();
                  release.await();
                });
    try (OutboxDispatcher dispatcher =
        OutboxDispatcher.builder(table, table, listeners).workers(1).metrics(metrics).build()) {
      dispatcher.enqueueHot(queued(QueuedEvent.Source.HOT));
      running.await();
      depths.clear();
      dispatcher.enqueueHot(queued(QueuedEvent.Source.HOT));
      dispatcher.enqueueHot(queued(QueuedEvent.Source.HOT));
      dispatcher.enqueueCold(queued(QueuedEvent.Source.COLD));
      release.countDown();
      Eventually.await("all taken", () -> depths.size() == 3);
      assertThat(depths.peek()).isEqualTo("1 1");
      assertThat(depths).last().isEqualTo("0 0");
    }
  }

  /** Counts nothing but the depths. */
  private record RecordedDepths(Queue<String> depths) implements MetricsExporter {
    @Override
    public void incrementHotEnqueued() {}

    @Override
    public void incrementHotDropped() {}

    @Override
    public void incrementColdEnqueued() {}

    @Override
    public void incrementDispatchSuccess() {}

    @Override
    public void incrementDispatchFailure() {}

    @Override
    public void incrementDispatchDead() {}

    @Override
    public void recordQueueDepths(int hotDepth, int coldDepth) {
      depths.add(hotDepth + " " + coldDepth);
    }

    @Override
    public void recordOldestLagMs(long lagMs) {}
  }
}
