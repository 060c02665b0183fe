package failover;

import static org.assertj.core.api.Assertions.assertThat;

import failover.store.InMemoryFailoverStore;
import java.io.IOException;
import java.time.Duration;
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

    Price price = failovers.call(spec, List.of(sku), () -> service.priceOf(sku));
    // endregion
    assertThat(price).isEqualTo(new Price("a", 100));
    service.isDown = true;
    // region age
    FailoverResult<Price> result = failovers.callForResult(spec, List.of(sku), () -> service.priceOf(sku));
    if (!result.upToDate()) {
      show(result.value(), "as of " + result.asOf());
    }
    // endregion
    // spotless:on
    assertThat(result.upToDate()).isFalse();
    assertThat(shown).startsWith("Price[sku=a, cents=100] as of ");
  }

  private String shown = "";

  private void show(Price price, String age) {
    shown = price + " " + age;
  }
}
