package failover.execution;

import static org.assertj.core.api.Assertions.assertThat;

import failover.FailoverResult;
import failover.FailoverSpec;
import failover.FailoverSpecBuilder;
import failover.Failovers;
import failover.observe.FailoverLifecycleListener;
import failover.store.InMemoryFailoverStore;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.threads.Together;
import holdfast.testkit.time.SettableTime;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many of 500 callers wait for a source that hangs. All of them have a stored answer. */
@Timeout(120)
class HungSourceCallersTest {
  private static final Duration SOFT = Duration.ofMillis(20);
  private static final Duration HARD = Duration.ofMillis(100);
  private static final int CALLERS = 500;

  /** How many failures begin the pause of a point whose last answers were long ago. */
  private static final int MINIMUM = 3;

  private final SettableTime time = new SettableTime();
  private final AtomicBoolean inTransaction = new AtomicBoolean();
  private final AtomicInteger counted = new AtomicInteger();
  private final Failovers failovers =
      Failovers.builder(new InMemoryFailoverStore())
          .time(time)
          .insideTransaction(inTransaction::get)
          .closeTimeout(Duration.ofMillis(10))
          .lifecycleListener(
              new FailoverLifecycleListener() {
                @Override
                public void upstream(FailoverSpec<?> spec, boolean answered, long nanos) {
                  if (!answered) {
                    counted.incrementAndGet();
                  }
                }
              })
          .build();
  private final AtomicInteger asked = new AtomicInteger();
  private final CountDownLatch released = new CountDownLatch(1);

  @AfterEach
  void release() {
    released.countDown();
    failovers.close();
  }

  private static FailoverSpecBuilder<String> spec(String name) {
    return FailoverSpec.builder(name, String.class).domain("price");
  }

  private static FailoverSpec<String> hard() {
    return spec("hard").hardTimeout(HARD).build();
  }

  private static FailoverSpec<String> both() {
    return spec("both").softTimeout(SOFT).hardTimeout(HARD).build();
  }

  private static List<String> key(int caller) {
    return List.of("k" + caller);
  }

  private void storeAll() {
    answerAll(spec("patient").build());
  }

  /** However long that takes on a busy machine: what answers in a transaction has answered. */
  private void answerAll(FailoverSpec<String> spec) {
    inTransaction.set(true);
    for (int caller = 0; caller < CALLERS; caller++) {
      failovers.call(spec, key(caller), () -> "stored");
    }
    inTransaction.set(false);
  }

  private String hung() throws SocketTimeoutException {
    asked.incrementAndGet();
    Uninterruptibly.await(released);
    throw new SocketTimeoutException("of the client");
  }

  private FailoverResult<String> recovered(FailoverSpec<String> spec, int caller) throws Exception {
    FailoverResult<String> result = failovers.callForResult(spec, key(caller), this::hung);
    assertThat(result.value()).isEqualTo("stored");
    return result;
  }

  /**
   * Each caller comes when the hard timeout of the one before it is over. One that left at its soft
   * timeout may have left before the source was asked.
   */
  private int waitingOfThoseThatComeOneAfterTheOther(FailoverSpec<String> spec) throws Exception {
    long before = asked.get() + paused(spec);
    for (int caller = 0; caller < CALLERS; caller++) {
      recovered(spec, caller);
      long ended = before + caller + 1;
      Eventually.await(
          "the source is given up",
          () -> asked.get() + paused(spec) == ended && counted.get() == asked.get());
      time.advance(Duration.ofMillis(1));
    }
    return asked.get();
  }

  private long paused(FailoverSpec<String> spec) {
    Failovers.PointCounts counts = failovers.counts().get(spec.name());
    return counts == null ? 0 : counts.paused();
  }

  @Test
  void withAHardTimeoutThreeOfThoseThatComeOneAfterTheOtherWait() throws Exception {
    storeAll();
    assertThat(waitingOfThoseThatComeOneAfterTheOther(hard())).isEqualTo(MINIMUM);
  }

  @Test
  void soDoThreeWithASoftTimeoutToo() throws Exception {
    storeAll();
    assertThat(waitingOfThoseThatComeOneAfterTheOther(both())).isEqualTo(MINIMUM);
    assertThat(failovers.counts().get("both").slow()).isEqualTo(MINIMUM);
  }

  @Test
  void atABusyPointTenDo() throws Exception {
    storeAll();
    for (FailoverSpec<String> spec : List.of(hard(), both())) {
      answerAll(spec);
      time.advance(Duration.ofSeconds(2)); // as soon as nothing was answered for that long
      int before = asked.get();
      assertThat(waitingOfThoseThatComeOneAfterTheOther(spec) - before)
          .isEqualTo(RecentCalls.IN_A_ROW);
    }
  }

  private void assertNobodyWaits(FailoverSpec<String> spec) throws Exception {
    long before = paused(spec);
    for (int caller = 0; caller < CALLERS; caller++) {
      recovered(spec, caller);
    }
    assertThat(paused(spec) - before).isEqualTo(CALLERS);
  }

  private void comeTogether(int callers, FailoverSpec<String> spec) throws Exception {
    AtomicInteger next = new AtomicInteger();
    Together.runAll(callers, () -> recovered(spec, next.getAndIncrement()));
  }

  @Test
  void thoseThatComeTogetherWaitNoLongerThanTheTimeoutAndNobodyAfterThem() throws Exception {
    storeAll();
    for (FailoverSpec<String> spec : List.of(hard(), both())) {
      counted.set(0);
      comeTogether(CALLERS, spec);
      Eventually.await("some are given up", () -> counted.get() >= MINIMUM);
      assertNobodyWaits(spec);
    }
  }

  /** Without a timeout they wait as long as their client does. */
  @Test
  void withoutATimeoutAllOfThemWaitForTheirClientsOnce() throws Exception {
    storeAll();
    FailoverSpec<String> plain = spec("plain").build();
    int callers = 100;
    Thread clients =
        new Thread(
            () -> {
              Eventually.await("all wait", () -> asked.get() == callers);
              released.countDown();
            });
    clients.start();
    comeTogether(callers, plain);
    clients.join();
    assertThat(asked).hasValue(callers);
    assertNobodyWaits(plain);
  }
}
