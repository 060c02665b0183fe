package failover.spring.boot;

import failover.Failover;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A bean whose method fails on demand. */
class Shop {
  record Price(String sku, int cents) {}

  final AtomicInteger asked = new AtomicInteger();
  volatile Exception failure;
  volatile int cents = 100;

  @Failover(name = "price", pause = "0s")
  public Price price(String sku) throws Exception {
    asked.incrementAndGet();
    if (failure != null) {
      throw failure;
    }
    return new Price(sku, cents);
  }

  void goDown() {
    failure = new IOException("down");
  }
}
