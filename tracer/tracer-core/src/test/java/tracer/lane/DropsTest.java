package tracer.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import tracer.DropReason;
import tracer.Lane;
import tracer.lane.Drops.Dropped;
import tracer.ring.RingOrigin;
import tracer.sink.DataLoss;

/** Marks say when and where events were dropped. */
class DropsTest {
  private static final RingOrigin FIRST = new RingOrigin(0, 7, "first");
  private static final RingOrigin SECOND = new RingOrigin(2, 8, "second");

  private final Drops drops = new Drops();

  /** A ring of ten events, of which the last is that of the number; they were recorded in turns. */
  private void drop(RingOrigin origin, long end, DropReason reason) {
    drops.count(Lane.INDEX, reason, new Dropped(origin, 10, end - 9, end, end));
  }

  private static DataLoss loss(RingOrigin origin, DropReason reason, long count, long from) {
    return new DataLoss(
        Lane.INDEX, reason, count, from, from + count - 1, origin.thread(), origin.threadName());
  }

  @Test
  void ringsThatFollowEachOtherHaveOneMark() {
    drop(FIRST, 10, DropReason.POOL_EXHAUSTED);
    drop(SECOND, 10, DropReason.POOL_EXHAUSTED);
    drop(FIRST, 20, DropReason.POOL_EXHAUSTED);
    drop(FIRST, 30, DropReason.POOL_EXHAUSTED);

    assertThat(drops.takeMarks())
        .containsExactly(
            loss(FIRST, DropReason.POOL_EXHAUSTED, 30, 1),
            loss(SECOND, DropReason.POOL_EXHAUSTED, 10, 1));
    assertThat(drops.takeMarks()).isEmpty();
  }

  @Test
  void ringsWithAGapBetweenThemAndOtherReasonsHaveMarksOfTheirOwn() {
    drop(FIRST, 10, DropReason.POOL_EXHAUSTED);
    drop(FIRST, 30, DropReason.POOL_EXHAUSTED); // that between them is with the sink
    drop(FIRST, 40, DropReason.DISK_SLOW);

    assertThat(drops.takeMarks())
        .containsExactly(
            loss(FIRST, DropReason.POOL_EXHAUSTED, 10, 1),
            loss(FIRST, DropReason.POOL_EXHAUSTED, 10, 21),
            loss(FIRST, DropReason.DISK_SLOW, 10, 31));
  }

  @Test
  void ofManyThatWaitDistantOnesAreMergedAndNoneIsLost() {
    for (int i = 1; i <= 5000; i++) {
      drop(FIRST, i * 20L, i % 3 == 0 ? DropReason.DISK_SLOW : DropReason.POOL_EXHAUSTED);
    }
    List<DataLoss> marks = drops.takeMarks();

    assertThat(marks).hasSizeBetween(50, 102);
    assertThat(marks.stream().mapToLong(DataLoss::count).sum()).isEqualTo(50_000);
    assertThat(marks.stream().mapToLong(DataLoss::to).max()).hasValue(100_000);
    assertThat(sum(marks, DropReason.DISK_SLOW))
        .isEqualTo(drops.of(Lane.INDEX, DropReason.DISK_SLOW));
  }

  private static long sum(List<DataLoss> marks, DropReason reason) {
    return marks.stream().filter(mark -> mark.reason() == reason).mapToLong(DataLoss::count).sum();
  }

  @Test
  void whatTheSinkCouldNotBeGivenComesAgain() {
    drop(SECOND, 10, DropReason.POOL_EXHAUSTED);
    List<DataLoss> marks = drops.takeMarks();
    marks.forEach(drops::putBack);

    assertThat(drops.takeMarks()).isEqualTo(marks);
    assertThat(drops.of(Lane.INDEX)).isEqualTo(10);
  }

  @Test
  void writersThatDropAtTheSameTimeLoseNoMark() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    AtomicLong taken = new AtomicLong();
    for (int i = 0; i < 4; i++) {
      RingOrigin origin = new RingOrigin(i * 32, i, "writer " + i); // of two lists
      threads.add(
          new Thread(
              () -> {
                for (int k = 1; k <= 5000; k++) {
                  drop(origin, k * (k % 7 == 0 ? 20L : 10L), DropReason.RING_FULL);
                }
              }));
    }
    threads.add(new Thread(() -> taken.addAndGet(takeSome(1000))));
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(taken.get() + takeSome(1)).isEqualTo(200_000);
  }

  private long takeSome(int times) {
    long sum = 0;
    for (int i = 0; i < times; i++) {
      sum += drops.takeMarks().stream().mapToLong(DataLoss::count).sum();
    }
    return sum;
  }
}
