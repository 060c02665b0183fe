package failover.store;

import holdfast.testkit.threads.Eventually;

class AsyncFailoverStoreContractTest extends FailoverStoreContract {
  @Override
  protected FailoverStore newStore() {
    return new AsyncFailoverStore(new InMemoryFailoverStore());
  }

  @Override
  protected void settle(FailoverStore store) {
    Eventually.await("all is written", () -> ((AsyncFailoverStore) store).waiting() == 0);
  }
}
