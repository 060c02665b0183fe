package failover;

import failover.recovery.AbstractFailoverHandler;
import failover.recovery.FailoverHandler;
import java.time.Duration;

// region handler
final class WithoutPersonalPrices extends AbstractFailoverHandler {
  WithoutPersonalPrices(FailoverHandler next) {
    super(next);
  }

  @Override
  public <T> boolean store(FailoverCall<T> call, T answer, Duration patience) {
    return !call.args().contains("personal") && super.store(call, answer, patience);
  }
}

// endregion
