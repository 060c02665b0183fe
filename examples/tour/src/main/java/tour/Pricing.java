package tour;

import failover.FailoverResult;
import holdfast.payload.PayloadHandler;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ObjLongConsumer;
import tracer.IndexLane;
import tracer.TraceSpan;

/**
 * What workers do with an order: ask for its price and write it down. Safe for use by many threads.
 */
final class Pricing implements PayloadHandler<OrderPlaced> {
  private final Prices prices;
  private final Orders orders;
  private final long slownessMillis;
  private final ObjLongConsumer<FailoverResult<Price>> then;
  private final IndexLane trace;

  /**
   * A handler.
   *
   * @param slownessMillis how long its machine thinks about an order
   * @param then is told what an order costs
   * @param trace where it is recorded how long that takes
   */
  Pricing(
      Prices prices,
      Orders orders,
      long slownessMillis,
      ObjLongConsumer<FailoverResult<Price>> then,
      IndexLane trace) {
    this.prices = prices;
    this.orders = orders;
    this.slownessMillis = slownessMillis;
    this.then = then;
    this.trace = trace;
  }

  @Override
  public void handle(OrderPlaced placed) throws Exception {
    try (TraceSpan span = trace.span(Steps.PRICE, placed.order())) {
      span.flow(placed.order());
      FailoverResult<Price> result = ask(placed.item());
      TimeUnit.MILLISECONDS.sleep(slownessMillis);
      long cents = Objects.requireNonNull(result.value()).cents();
      orders.price(placed.order(), cents, result.asOf(), !result.upToDate());
      then.accept(result, placed.order());
    }
  }

  private FailoverResult<Price> ask(String item) throws Exception {
    trace.begin(Steps.ASK);
    try {
      return prices.priceOf(item);
    } finally {
      trace.end(Steps.ASK);
    }
  }
}
