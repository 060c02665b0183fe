package tour;

import failover.FailoverResult;
import holdfast.payload.PayloadHandler;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ObjLongConsumer;

/**
 * What workers do with an order: ask for its price and write it down. Safe for use by many threads.
 */
final class Pricing implements PayloadHandler<OrderPlaced> {
  private final Prices prices;
  private final Orders orders;
  private final long slownessMillis;
  private final ObjLongConsumer<FailoverResult<Price>> then;

  /**
   * A handler.
   *
   * @param slownessMillis how long its machine thinks about an order
   * @param then is told what an order costs
   */
  Pricing(
      Prices prices,
      Orders orders,
      long slownessMillis,
      ObjLongConsumer<FailoverResult<Price>> then) {
    this.prices = prices;
    this.orders = orders;
    this.slownessMillis = slownessMillis;
    this.then = then;
  }

  @Override
  public void handle(OrderPlaced placed) throws Exception {
    FailoverResult<Price> result = prices.priceOf(placed.item());
    TimeUnit.MILLISECONDS.sleep(slownessMillis);
    long cents = Objects.requireNonNull(result.value()).cents();
    orders.price(placed.order(), cents, result.asOf(), !result.upToDate());
    then.accept(result, placed.order());
  }
}
