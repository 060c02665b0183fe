package holdfast.verification.firsthour.app;

import failover.Failover;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Component;

/**
 * Prices of a supplier that fails now and then. Each answer is another price, so that each is
 * written. Safe for use by many threads.
 */
@Component
class Supplier {
  /** Once it is unreliable, one call in this many fails. */
  static final int FAILS_EVERY = 5;

  private final AtomicInteger answers = new AtomicInteger();
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();
  private volatile boolean unreliable;

  /** The price of an item. */
  record Price(String item, int cents) {}

  @Failover(name = "price", pause = "0s")
  public Price price(String item) throws IOException {
    if (unreliable && calls.incrementAndGet() % FAILS_EVERY == 0) {
      failures.incrementAndGet();
      throw new IOException("the supplier does not answer");
    }
    return new Price(item, answers.incrementAndGet());
  }

  /** From now on one call in {@link #FAILS_EVERY} fails. */
  void becomeUnreliable() {
    unreliable = true;
  }

  int answers() {
    return answers.get();
  }

  int failures() {
    return failures.get();
  }
}
