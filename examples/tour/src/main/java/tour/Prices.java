package tour;

import failover.Failover;
import failover.FailoverResult;
import java.io.IOException;

/** Who knows prices. */
interface Prices {

  /** The price of an item, with its age. */
  // region prices
  @Failover(name = "price", expiry = "6h", pause = "200ms")
  FailoverResult<Price> priceOf(String item) throws IOException, InterruptedException;
  // endregion
}
