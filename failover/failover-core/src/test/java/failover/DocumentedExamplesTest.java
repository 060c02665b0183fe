package failover;

import static failover.Failovers.args;
import static org.assertj.core.api.Assertions.assertThat;

import failover.slices.AbstractListPayloadSplitter;
import failover.store.InMemoryFailoverStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The examples of docs/failover.md: compiled here, run here, the same text there. */
class DocumentedExamplesTest {
  record Price(String sku, int cents) {}

  /** A price service that fails on demand. */
  private static final class PriceService {
    private boolean isDown;

    Price priceOf(String sku) throws IOException {
      if (isDown) {
        throw new IOException("down");
      }
      return new Price(sku, 100);
    }

    List<Price> pricesOf(List<String> skus) throws IOException {
      List<Price> prices = new ArrayList<>();
      for (String sku : skus) {
        prices.add(priceOf(sku));
      }
      return prices;
    }
  }

  @Test
  void tenLines() throws IOException {
    PriceService service = new PriceService();
    String sku = "a";
    // spotless:off
    // region ten lines
    Failovers failovers = Failovers.builder(new InMemoryFailoverStore()).build();
    FailoverSpec<Price> spec = FailoverSpec.builder("price", Price.class)
        .expiry(Duration.ofHours(6))
        .build();

    Price price = failovers.call(spec, args(sku), () -> service.priceOf(sku));
    // endregion
    assertThat(price).isEqualTo(new Price("a", 100));
    service.isDown = true;
    // region age
    FailoverResult<Price> result = failovers.callForResult(spec, args(sku), () -> service.priceOf(sku));
    if (!result.upToDate()) {
      show(result.value(), "as of " + result.asOf());
    }
    // endregion
    // spotless:on
    assertThat(result.upToDate()).isFalse();
    assertThat(shown).startsWith("Price[sku=a, cents=100] as of ");
  }

  @Test
  void manyEntities() throws IOException {
    PriceService service = new PriceService();
    Failovers failovers = Failovers.builder(new InMemoryFailoverStore()).build();
    // spotless:off
    // region splitter
    final class PricesBySku extends AbstractListPayloadSplitter<Price> {
      PricesBySku() {
        super(Price.class);
      }

      @Override
      protected List<Object> keyArgsForSlice(FailoverCall<?> call, Price slice) {
        return List.of(slice.sku());
      }
    }
    // endregion
    List<String> skus = List.of("a", "b");
    // region slices
    FailoverSpec<List<Price>> prices = FailoverSpec.builder("prices", new TypeRef<List<Price>>() {})
        .payloadSplitter(new PricesBySku())
        .build();

    FailoverResult<List<Price>> result = failovers.callForResult(prices, args(skus), () -> service.pricesOf(skus));
    // endregion
    // spotless:on
    assertThat(result.value()).hasSize(2);
    service.isDown = true;
    List<String> others = List.of("c", "b");
    FailoverResult<List<Price>> stale =
        failovers.callForResult(prices, args(others), () -> service.pricesOf(others));
    assertThat(stale.value()).containsExactly(new Price("b", 100));
    assertThat(stale.freshnessOf("c")).isEqualTo(FailoverResult.Freshness.MISSING);
  }

  private String shown = "";

  private void show(Price price, String age) {
    shown = price + " " + age;
  }
}
