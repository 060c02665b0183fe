package failover;

import static org.assertj.core.api.Assertions.assertThat;

import failover.Prices.Price;
import holdfast.testkit.threads.Together;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A source that takes two seconds to fail, and a hundred callers. */
class OutageTest extends PricesFixture {
  private static final int CALLERS = 100;
  private static final int CALLS = 200;
  private static final Duration QUICK = Duration.ofMillis(5);

  @Test
  void afterTheFirstFailureEverybodyIsAnsweredAtOnce() throws Throwable {
    Failovers failovers = builder().build();
    FailoverSpec<Price> pausing = FailoverSpec.builder("pausing", Price.class).build();
    ask(failovers, pausing, "a");
    prices.failure = new SocketTimeoutException("no answer within 2 s");
    ask(failovers, pausing, "a"); // this one has waited for the client's timeout
    int askedBefore = prices.asked.get();
    AtomicInteger slow = new AtomicInteger();
    Together.runAll(
        CALLERS,
        () -> {
          for (int i = 0; i < CALLS; i++) {
            long began = System.nanoTime();
            FailoverResult<Price> result =
                failovers.callForResult(
                    pausing,
                    List.of("a"),
                    () -> {
                      prices.asked.incrementAndGet();
                      throw new SocketTimeoutException("two seconds later");
                    });
            if (System.nanoTime() - began >= QUICK.toNanos()) {
              slow.incrementAndGet();
            }
            assertThat(result.value()).isEqualTo(new Price("a", 100));
            assertThat(result.upToDate()).isFalse();
          }
        });
    // Nobody has waited for the source; who was slow had to wait for a processor.
    assertThat(prices.asked.get()).isEqualTo(askedBefore);
    assertThat(slow.get()).isLessThan(CALLERS * CALLS / 20);
    assertBooks(failovers, 2 + CALLERS * CALLS, 2 + CALLERS * CALLS);
  }
}
