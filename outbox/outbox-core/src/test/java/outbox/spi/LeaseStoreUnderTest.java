package outbox.spi;

import java.time.Duration;

/** What the contract kit needs beyond that from a store that lends events. */
public interface LeaseStoreUnderTest extends StoreUnderTest {

  @Override
  LeaseStore store();

  /** The same data, seen by the database's clock when so much more time has passed. */
  LeaseStore after(Duration passed);

  /** The same data, where a dead event does not hold back those after it. */
  LeaseStore skippingDead();
}
