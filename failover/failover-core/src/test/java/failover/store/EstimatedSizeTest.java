package failover.store;

import static org.assertj.core.api.Assertions.assertThat;

import failover.store.ReferentialPayload.Payload;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EstimatedSizeTest {
  private static final String TEXT = "a".repeat(1_000);

  record Price(String sku, int cents, @Nullable String note) {}

  record Page(Price first, Optional<Price> second) {}

  record Chain(int number, @Nullable Chain next) {}

  private static long of(Object answer) {
    return Payload.ofValue("a.Type", 1, answer, () -> new byte[7_000]).estimatedBytes();
  }

  @Test
  void textsAndNumbersCountByTheirLength() {
    assertThat(of(TEXT)).isBetween(2_000L, 2_100L);
    assertThat(of("ä".repeat(1_000))).isBetween(3_000L, 3_100L);
    assertThat(of("字".repeat(1_000))).isBetween(5_000L, 5_100L);
    assertThat(of(BigInteger.TWO.pow(8_000))).isBetween(3_400L, 3_800L);
    assertThat(of(new BigDecimal(BigInteger.TWO.pow(8_000), 3))).isBetween(3_400L, 3_800L);
    assertThat(of(URI.create("http://" + TEXT))).isBetween(2_000L, 5_000L);
    assertThat(of(7L)).isBetween(1L, 100L);
  }

  @Test
  void recordsCountByTheirComponents() {
    Price price = new Price(TEXT, 1, null);
    assertThat(of(price)).isBetween(2_000L, 2_200L);
    assertThat(of(new Page(price, Optional.of(price)))).isBetween(4_000L, 4_500L);
    assertThat(of(new Page(price, Optional.empty()))).isBetween(2_000L, 2_300L);
  }

  record Figures(long first, long second, long third, long fourth, long fifth, long sixth) {}

  @Test
  void primitiveValuesAndNamesCountAsInMemoryAndInJson() {
    long most = Long.MAX_VALUE;
    Figures figures = new Figures(most, most, most, most, most, most);
    String json =
        """
        {"first":%1$d,"second":%1$d,"third":%1$d,"fourth":%1$d,"fifth":%1$d,"sixth":%1$d}"""
            .formatted(most);
    assertThat(of(figures)).isBetween(json.length() * 8L / 10, json.length() * 3L);
  }

  @Test
  void whatHasTooManyPartsCountsByItsEncoding() {
    Chain chain = null;
    for (int i = 0; i < 100_000; i++) {
      chain = new Chain(i, chain);
    }
    assertThat(of(chain)).isEqualTo(14_000);
  }
}
