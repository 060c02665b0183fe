package failover;

import static org.assertj.core.api.Assertions.assertThat;

import failover.Prices.Price;
import holdfast.testkit.threads.Together;
import holdfast.time.TimeSource;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A source that takes two seconds to fail, and a hundred callers. */
@Timeout(60)
class OutageTest extends PricesFixture {
  private static final int CALLERS = 100;
  private static final int CALLS = 250;
  private static final Duration BETWEEN_CALLS = Duration.ofMillis(10);
  private static final Duration QUICK = Duration.ofMillis(5);
  private static final Duration CLIENT_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final List<String> STORED = List.of("a", "b", "c", "d");

  private final Set<Thread> asking = ConcurrentHashMap.newKeySet();
  private final CountDownLatch neverComes = new CountDownLatch(1);

  private Price deadSource() throws Exception {
    prices.asked.incrementAndGet();
    asking.add(Thread.currentThread());
    if (neverComes.await(CLIENT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("it never comes");
    }
    throw new SocketTimeoutException("no answer within " + CLIENT_TIMEOUT);
  }

  private void storeAll(Failovers failovers, FailoverSpec<Price> at) throws Throwable {
    for (String sku : STORED) {
      ask(failovers, at, sku);
    }
  }

  private static String sku(int call) {
    return STORED.get(call % STORED.size());
  }

  @Test
  void inAPauseEverybodyIsAnsweredAtOnceWhoeverTriesTheSourceIncluded() throws Throwable {
    Failovers failovers = builder().time(TimeSource.system()).build();
    FailoverSpec<Price> impatient =
        FailoverSpec.builder("impatient", Price.class)
            .softTimeout(Duration.ofMillis(300))
            .pause(PAUSE, PAUSE)
            .build();
    storeAll(failovers, impatient);
    awaitPause(failovers, impatient);
    int askedBefore = prices.asked.get();
    asking.clear();
    Set<Thread> callers = ConcurrentHashMap.newKeySet();
    AtomicInteger slow = new AtomicInteger();
    Together.runAll(
        CALLERS,
        () -> {
          callers.add(Thread.currentThread());
          for (int i = 0; i < CALLS; i++) {
            long began = System.nanoTime();
            FailoverResult<Price> result =
                failovers.callForResult(impatient, List.of(sku(i)), this::deadSource);
            long took = System.nanoTime() - began;
            assertThat(took).as("nobody waits for the source").isLessThan(1_000_000_000);
            if (took >= QUICK.toNanos()) {
              slow.incrementAndGet();
            }
            assertThat(result.value()).isEqualTo(new Price(sku(i), 100));
            assertThat(result.upToDate()).isFalse();
            LockSupport.parkNanos(BETWEEN_CALLS.toNanos() - took);
          }
        });
    assertThat(prices.asked.get()).as("the source was tried").isGreaterThan(askedBefore);
    assertThat(asking).as("behind the callers").doesNotContainAnyElementsOf(callers);
    // Who was slow nevertheless had to wait for a processor.
    assertThat(slow.get()).isLessThan(CALLERS * CALLS / 20);
    assertThat(failovers.ledger().isAccountedFor()).isTrue();
  }

  /** Until half of the calls have failed these callers wait for the soft timeout. */
  private void awaitPause(Failovers failovers, FailoverSpec<Price> at) throws Exception {
    for (int i = 0; failovers.counts().get(at.name()).paused() == 0; i++) {
      failovers.call(at, List.of(sku(i)), this::deadSource);
    }
  }

  @Test
  void withoutASoftTimeoutOnlyWhoTriesTheSourceWaitsForIt() throws Throwable {
    Failovers failovers = builder().build();
    FailoverSpec<Price> pausing = FailoverSpec.builder("pausing", Price.class).build();
    storeAll(failovers, pausing);
    prices.failure = new SocketTimeoutException("no answer within 2 s");
    storeAll(failovers, pausing); // these have waited for the client's timeout
    int askedBefore = prices.asked.get();
    Together.runAll(
        CALLERS,
        () -> {
          for (int i = 0; i < CALLS; i++) {
            failovers.callForResult(pausing, List.of(sku(i)), this::deadSource);
          }
        });
    assertThat(prices.asked.get()).isEqualTo(askedBefore);
    int calls = 2 * STORED.size() + CALLERS * CALLS;
    assertLedger(failovers, calls, calls);
  }
}
