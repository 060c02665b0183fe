package holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.log.Outage;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OutcomeWriterTest {
  private static final LeaseTimes TIMES =
      new LeaseTimes(
          Duration.ofMillis(300),
          Duration.ofMillis(100),
          Duration.ofMillis(10),
          Duration.ofMillis(200));

  private final TimeSource time = TimeSource.system();
  private final FakeStore store = new FakeStore();
  private final InFlight<TestItem> inFlight = new InFlight<>(1_000, (item, current) -> {});
  private final BlockingQueue<Ended<TestItem>> recorded = new LinkedBlockingQueue<>();
  private final Outage outage = new Outage("test", time);

  private final OutcomeWriter<TestItem> writer =
      new OutcomeWriter<>(
          "test",
          store,
          this::recorded,
          new LeaseRenewal<>(outage, TIMES, store, inFlight, Nodes.ALONE, () -> {}, time),
          outage,
          time);

  private void recorded(Ended<TestItem> ended, boolean stale) {
    recorded.add(ended);
    inFlight.all().forEach(inFlight::remove);
    throw new IllegalStateException("a listener that throws");
  }

  @AfterEach
  void close() throws InterruptedException {
    store.refused.clear();
    writer.close();
    assertThat(writer.ended().await(30, TimeUnit.SECONDS)).as("ends").isTrue();
  }

  private static Ended<TestItem> done(String id, boolean urgent) {
    return new Ended<>(new TestItem(id, 0, urgent, 0, 100), Outcome.DONE, 0);
  }

  private String next() throws InterruptedException {
    Ended<TestItem> next = recorded.poll(30, TimeUnit.SECONDS);
    return next == null ? "nothing" : next.item().id();
  }

  @Test
  void recordsEveryOutcome() throws InterruptedException {
    writer.start();
    for (int i = 0; i < 2_000; i++) {
      writer.add(done("item " + i, false));
    }
    for (int i = 0; i < 2_000; i++) {
      assertThat(next()).isEqualTo("item " + i);
    }
    assertThat(store.batches).hasSizeLessThan(1_000).allMatch(size -> size <= 500);
  }

  @Test
  void aWorkerWaitsWhileManyOutcomesAreNotRecordedAndWhatIsReleasedDoesNot()
      throws InterruptedException {
    for (int i = 0; i < 2_000; i++) {
      writer.add(done("item " + i, false));
    }
    Thread worker = new Thread(() -> writer.add(done("of the worker", false)));
    worker.start();
    while (worker.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThat(writer.offer(Ended.released(TestItem.of("released")))).isTrue();
    assertThat(writer.backlog()).isEqualTo(2_001);
    writer.start();
    worker.join();
    for (int i = 0; i < 2_000; i++) {
      assertThat(next()).isEqualTo("item " + i);
    }
    assertThat(next()).isEqualTo("released");
    assertThat(next()).isEqualTo("of the worker");
  }

  @Test
  void oneThatIsRefusedHoldsUpNoneAndIsRecordedLater() throws InterruptedException {
    store.refused.add("bad");
    writer.start();
    writer.add(done("bad", false));
    writer.add(done("good", true));
    assertThat(next()).isEqualTo("good");
    assertThat(writer.backlog()).isPositive();
    store.refused.clear();
    assertThat(next()).isEqualTo("bad");
  }

  @Test
  void anErrorEndsTheThreadAndNotTheWork() throws InterruptedException {
    store.error = new StackOverflowError("made up");
    writer.start();
    writer.add(done("item", true));
    assertThat(next()).isEqualTo("item");
  }

  @Test
  void whatWaitsTooLongIsReleased() throws InterruptedException {
    long now = time.nanoTime();
    inFlight.add(new TestItem("item", 0, false, now, now));
    writer.start();
    Ended<TestItem> released = recorded.poll(30, TimeUnit.SECONDS);
    assertThat(released).isNotNull();
    assertThat(released.outcome()).isEqualTo(Outcome.RELEASED);
  }

  @Test
  void closedItStaysUntilNothingIsInFlight() throws InterruptedException {
    TestItem running = TestItem.of("running");
    running.begin();
    inFlight.add(running);
    writer.start();
    writer.close();
    assertThat(writer.ended().await(150, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(writer.offer(done("late", false))).isTrue();
    assertThat(next()).isEqualTo("late");
    assertThat(writer.ended().await(30, TimeUnit.SECONDS)).isTrue();
  }
}
