package failover.spring;

import failover.Failover;
import failover.FailoverResult;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** A bean whose methods fail on demand. */
class Shop {
  record Price(String sku, int cents) {}

  final AtomicInteger asked = new AtomicInteger();
  volatile IOException failure;

  private void check() throws IOException {
    asked.incrementAndGet();
    if (failure != null) {
      throw failure;
    }
  }

  @Failover(name = "price", pause = "0s")
  public Price price(String sku) throws IOException {
    check();
    return new Price(sku, 100);
  }

  @Failover(name = "prices", pause = "0s", keyGenerator = "firstLetter", expiryPolicy = "forever")
  public List<Price> prices(String category) throws IOException {
    check();
    return List.of(new Price(category, 1));
  }

  @Failover(name = "later", pause = "0s")
  public CompletionStage<Price> later(String sku) {
    return failure == null
        ? CompletableFuture.completedFuture(new Price(sku, 2))
        : CompletableFuture.failedFuture(failure);
  }

  @Failover(
      name = "fresh",
      pause = "0s",
      expiryDurationExpression = "${shop.keep:6}",
      expiryUnitExpression = "${shop.unit:days}")
  public FailoverResult<Price> fresh(String sku) throws IOException {
    check();
    return FailoverResult.live(new Price(sku, 3), java.time.Instant.EPOCH);
  }

  @Failover(name = "")
  public String inert() throws IOException {
    check();
    return "inert";
  }

  public String plain() throws IOException {
    check();
    return "plain";
  }
}
