package holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.lifecycle.Deadline;
import holdfast.log.Outage;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
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
      TestSettings.ofOneWorker(new HandlerTimeouts(null, Map.of()), true);

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

  /** Or the worker would renew for ever, and closing would wait for it. */
  @Test
  void anEventIsReleasedIfEveryAnswerComesTooLate() throws Exception {
    store.onRenew = () -> jumped.addAndGet(Duration.ofSeconds(14).toNanos());
    offerWithSlowStart();
    assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(handled.getCount()).as("was not handled").isEqualTo(1);
    assertThat(store.batches).as("released").isNotEmpty();
  }

  @Test
  void anEventThatAnotherNodeHasTakenMeanwhileIsNotHandled() throws Exception {
    store.gone.add(TestItem.of("nobody's"));
    offerWithSlowStart();
    assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(handled.getCount()).as("was not handled").isEqualTo(1);
  }
}
