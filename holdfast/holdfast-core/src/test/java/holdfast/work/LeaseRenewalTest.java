package holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.log.Outage;
import holdfast.time.StoppedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LeaseRenewalTest {
  private static final LeaseTimes TIMES =
      new LeaseTimes(
          Duration.ofSeconds(15),
          Duration.ofSeconds(5),
          Duration.ofSeconds(1),
          Duration.ofSeconds(60));

  private final StoppedTime time = new StoppedTime();
  private final FakeStore store = new FakeStore();
  private final InFlight<TestItem> inFlight = new InFlight<>(1_000, (item, current) -> {});
  private final AtomicInteger dequeued = new AtomicInteger();
  private final AtomicInteger outagesEnded = new AtomicInteger();
  private final LeaseRenewal<TestItem> renewal = renewal(TIMES);
  private final List<TestItem> released = new ArrayList<>();

  private LeaseRenewal<TestItem> renewal(LeaseTimes times) {
    return renewal(times, Nodes.ALONE);
  }

  private LeaseRenewal<TestItem> renewal(LeaseTimes times, Nodes nodes) {
    return new LeaseRenewal<>(
        new Outage("test", time, cause -> {}, outagesEnded::incrementAndGet),
        times,
        store,
        inFlight,
        nodes,
        dequeued::incrementAndGet,
        time);
  }

  private TestItem add(String id) {
    TestItem item = TestItem.of(id);
    inFlight.add(item);
    return item;
  }

  private void renewAfter(Duration passed) {
    time.advance(passed);
    renewal.renewIfDue(released::add);
  }

  @Test
  void anItemIsBegunOrLeftByOneThreadOnly() {
    TestItem begun = TestItem.of("a");
    assertThat(begun.begin()).isTrue();
    assertThat(begun.begin()).isFalse();
    assertThat(begun.leave()).isFalse();
    TestItem left = TestItem.of("b");
    assertThat(left.hasWaitedSince(0)).isTrue();
    assertThat(left.hasWaitedSince(-1)).isFalse();
    assertThat(left.leave()).isTrue();
    assertThat(left.begin()).isFalse();
    assertThat(left.hasWaitedSince(0)).isFalse();
  }

  @Test
  void timesMustLeaveRoomForTwoRenewals() {
    assertThat(TIMES.startMargin()).isEqualTo(Duration.ofSeconds(6));
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new LeaseTimes(second.multipliedBy(3), second, second, second))
        .hasMessage(
            "LeaseTimes: length must be more than twice renewEvery plus drift, PT3S but was PT3S");
    assertThatThrownBy(() -> new LeaseTimes(second, Duration.ZERO, second.negated(), Duration.ZERO))
        .hasMessageContaining("renewEvery")
        .hasMessageContaining("drift")
        .hasMessageContaining("maxQueueWait");
  }

  @Test
  void anEventWaitsForASecondOnlyWhileThereAreOthers() {
    TestNodes nodes = new TestNodes();
    LeaseRenewal<TestItem> beside = renewal(TIMES, nodes);
    time.advance(Duration.ofSeconds(4));
    long then = time.nanoTime();
    TestItem old = TestItem.queuedAt("old", then - Duration.ofSeconds(1).toNanos());
    TestItem runs = TestItem.queuedAt("runs", 0);
    runs.begin();
    inFlight.add(old);
    inFlight.add(runs);
    time.advance(Duration.ofSeconds(1));
    TestItem young = TestItem.queuedAt("young", time.nanoTime());
    inFlight.add(young);
    beside.renewIfDue(released::add);
    assertThat(released).as("alone").isEmpty();
    nodes.others = true;
    time.advance(Duration.ofSeconds(5));
    TestItem younger = TestItem.queuedAt("younger", time.nanoTime());
    inFlight.add(younger);
    beside.renewIfDue(released::add);
    assertThat(released).containsExactlyInAnyOrder(old, young);
    assertThat(dequeued).hasValue(1);
    assertThat(nodes.refreshed).isEqualTo(2);
    beside.end();
    assertThat(nodes.left).isTrue();
  }

  /** As on the event bus, where leases are renewed once a minute. */
  @Test
  void waitingEventsAreReleasedSoonAlsoWhereLeasesAreRenewedSeldom() {
    TestNodes nodes = new TestNodes();
    nodes.others = true;
    Duration minute = Duration.ofMinutes(1);
    LeaseRenewal<TestItem> seldom =
        renewal(
            new LeaseTimes(minute.multipliedBy(5), minute, Duration.ofSeconds(1), minute), nodes);
    TestItem item = add("a");
    time.advance(Duration.ofSeconds(5));
    assertThat(seldom.untilNext()).isZero();
    seldom.renewIfDue(released::add);
    assertThat(released).containsExactly(item);
    assertThat(store.renewed).isEmpty();
    add("b").begin();
    store.broken = true;
    time.advance(minute);
    seldom.renewIfDue(released::add);
    time.advance(Duration.ofSeconds(5));
    seldom.renewIfDue(released::add);
    assertThat(outagesEnded).as("nothing was renewed").hasValue(0);
    store.broken = false;
    time.advance(minute);
    seldom.renewIfDue(released::add);
    assertThat(outagesEnded).hasValue(1);
  }

  @Test
  void leasesAreRenewedInTimeAndNotBefore() {
    TestItem item = add("a");
    renewal.renewIfDue(released::add);
    assertThat(store.renewed).isEmpty();
    assertThat(renewal.untilNext()).isEqualTo(Duration.ofSeconds(5));
    renewAfter(Duration.ofSeconds(5));
    assertThat(store.renewed).containsExactly(1);
    assertThat(item.leaseLeft(time.nanoTime())).isEqualTo(Duration.ofSeconds(15).toNanos());
    assertThat(renewal.hasNothingInFlight()).isFalse();
  }

  @Test
  void leasesAreRenewedInBatches() {
    for (int i = 0; i < 1_001; i++) {
      add("item " + i);
    }
    renewAfter(Duration.ofSeconds(5));
    assertThat(store.renewed).containsExactly(500);
    assertThat(renewal.untilNext()).as("outcomes first, then the next batch").isZero();
    renewal.renewIfDue(released::add);
    renewal.renewIfDue(released::add);
    assertThat(store.renewed).containsExactly(500, 500, 1);
    assertThat(renewal.untilNext()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void thoseWhoseLeasesEndFirstAreRenewedFirstAndWhatIsRecordedMeanwhileIsNot() {
    TestItem last = new TestItem("last", 0, false, 0, Duration.ofSeconds(9).toNanos());
    inFlight.add(last);
    for (int i = 0; i < 500; i++) {
      add("item " + i);
    }
    renewAfter(Duration.ofSeconds(5));
    assertThat(store.renewed).containsExactly(500);
    assertThat(last.leaseLeft(time.nanoTime())).isEqualTo(Duration.ofSeconds(4).toNanos());
    inFlight.remove(last);
    renewal.renewIfDue(released::add);
    assertThat(store.renewed).containsExactly(500);
  }

  /** A sort by a value that changes meanwhile may fail. */
  @Test
  void workersMayRenewLeasesWhileThoseThatEndFirstAreFound() throws Exception {
    int count = 5_000;
    int rounds = 100;
    List<TestItem> running = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      TestItem item = add("item " + i);
      item.begin();
      running.add(item);
    }
    AtomicBoolean done = new AtomicBoolean();
    SplittableRandom random = new SplittableRandom(1);
    Thread worker =
        new Thread(
            () -> {
              while (!done.get()) {
                running.get(random.nextInt(count)).extendLease(random.nextLong(1_000_000));
              }
            });
    worker.start();
    try {
      for (int round = 0; round < rounds; round++) {
        renewAfter(Duration.ofSeconds(5));
        while (renewal.untilNext().isZero()) {
          renewal.renewIfDue(released::add);
        }
      }
    } finally {
      done.set(true);
      worker.join();
    }
    assertThat(store.renewed.stream().mapToInt(Integer::intValue).sum()).isEqualTo(rounds * count);
  }

  @Test
  void whatIsLostWhileItWaitsIsRemovedAndWhatRunsIsNot() {
    TestItem waits = add("waits");
    TestItem runs = add("runs");
    runs.begin();
    store.gone.addAll(inFlight.all());
    renewAfter(Duration.ofSeconds(5));
    assertThat(inFlight.all()).containsExactly(runs);
    assertThat(dequeued).hasValue(1);
    assertThat(waits.begin()).as("nobody starts it any more").isFalse();
  }

  @Test
  void aFailedRenewalIsTriedAgainSoon() {
    add("a");
    store.broken = true;
    renewAfter(Duration.ofSeconds(5));
    assertThat(renewal.untilNext()).isEqualTo(Duration.ofSeconds(1));
    store.broken = false;
    renewAfter(Duration.ofSeconds(1));
    assertThat(store.renewed).containsExactly(1);
  }

  /** A fixed pause would outlast a short lease: one failure would cost everything in flight. */
  @Test
  void aFailedRenewalIsTriedAgainSeveralTimesWithinAShortLease() {
    LeaseRenewal<TestItem> brief =
        renewal(
            new LeaseTimes(
                Duration.ofMillis(1_500),
                Duration.ofMillis(500),
                Duration.ofMillis(100),
                Duration.ofMinutes(1)));
    add("a");
    store.broken = true;
    time.advance(Duration.ofMillis(500));
    brief.renewIfDue(released::add);
    assertThat(brief.untilNext()).isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void whatHasWaitedTooLongIsReleased() {
    TestItem waits = add("waits");
    TestItem runs = add("runs");
    runs.begin();
    renewAfter(Duration.ofSeconds(59));
    assertThat(released).isEmpty();
    renewAfter(Duration.ofSeconds(5));
    assertThat(released).containsExactly(waits);
  }
}
