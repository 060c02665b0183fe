package holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.lifecycle.Deadline;
import holdfast.log.Outage;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A database that answers a worker so late that the lease has run out meanwhile. */
@Timeout(60)
class SlowStartTest {
  private static final WorkSettings SETTINGS =
      new WorkSettings(
          "test",
          "handler",
          1,
          10,
          10,
          type -> Integer.MAX_VALUE,
          new LeaseTimes(
              Duration.ofSeconds(15),
              Duration.ofSeconds(5),
              Duration.ofSeconds(1),
              Duration.ofHours(1)),
          new HandlerTimeouts(null, Map.of()),
          new Retries((item, failures, failure) -> Optional.empty(), null),
          Set.of(),
          true);

  private final AtomicLong jumped = new AtomicLong();
  private final TimeSource time =
      new TimeSource() {
        @Override
        public Instant instant() {
          return TimeSource.system().instant();
        }

        @Override
        public long nanoTime() {
          return TimeSource.system().nanoTime() + jumped.get();
        }

        @Override
        public Alarm newAlarm() {
          return TimeSource.system().newAlarm();
        }
      };
  private final FakeStore store = new FakeStore();
  private final CountDownLatch handled = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final InFlight<TestItem> inFlight =
      new InFlight<>(1_000, (item, current) -> ended.countDown());
  private final WorkEngine<TestItem> engine =
      new WorkEngine<>(
          SETTINGS,
          store,
          item -> {
            handled.countDown();
            return Outcome.DONE;
          },
          recorded -> {},
          inFlight,
          Nodes.ALONE,
          new Outage("test", time),
          time);

  @AfterEach
  void close() {
    engine.close(Deadline.after(Duration.ofSeconds(10), TimeSource.system()), () -> {});
  }

  private TestItem offerWithSlowStart() {
    store.onStart = () -> jumped.addAndGet(Duration.ofSeconds(14).toNanos());
    TestItem item = new TestItem("a", 0, false, time.nanoTime(), time.nanoTime());
    engine.start();
    assertThat(engine.offerCommitted(item)).isTrue();
    return item;
  }

  @Test
  void theLeaseIsRenewedAgainBeforeTheHandlerRuns() throws Exception {
    TestItem item = offerWithSlowStart();
    assertThat(handled.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(store.renewed).isNotEmpty();
    assertThat(item.leaseLeft(time.nanoTime())).isGreaterThan(Duration.ofSeconds(6).toNanos());
  }

  @Test
  void anEventThatAnotherNodeHasTakenMeanwhileIsNotHandled() throws Exception {
    store.gone.add(TestItem.of("nobody's"));
    offerWithSlowStart();
    assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(handled.getCount()).as("was not handled").isEqualTo(1);
  }
}
