package failover;

import static org.assertj.core.api.Assertions.assertThat;

import failover.Prices.Price;
import failover.store.InMemoryFailoverStore;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.util.List;

/** A point for prices, its store and a clock, for tests to extend. */
abstract class PricesFixture {
  static final Duration NO_PAUSE = Duration.ZERO;

  final SettableTime time = new SettableTime();
  final InMemoryFailoverStore store = new InMemoryFailoverStore();
  final Prices prices = new Prices();
  final FailoverSpec<Price> spec = spec("price").build();

  static FailoverSpecBuilder<Price> spec(String name) {
    return FailoverSpec.builder(name, Price.class).pause(NO_PAUSE, NO_PAUSE);
  }

  FailoversBuilder builder() {
    return Failovers.builder(store).time(time);
  }

  Price ask(Failovers failovers, FailoverSpec<Price> at, String sku) throws Throwable {
    return failovers.call(at, List.of(sku), () -> prices.of(sku));
  }

  static void assertLedger(Failovers failovers, long accepted, long delivered) {
    assertThat(failovers.ledger().accepted()).isEqualTo(accepted);
    assertThat(failovers.ledger().delivered()).isEqualTo(delivered);
    assertThat(failovers.ledger().unaccounted()).isZero();
  }
}
