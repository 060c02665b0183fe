package failover;

import java.util.concurrent.atomic.AtomicInteger;

/** A price service that fails on demand. */
final class Prices {
  record Price(String sku, int cents) {}

  final AtomicInteger asked = new AtomicInteger();
  volatile Throwable failure;
  volatile int cents = 100;

  Price of(String sku) throws Throwable {
    asked.incrementAndGet();
    Throwable now = failure;
    if (now != null) {
      throw now;
    }
    return new Price(sku, cents);
  }
}
