package holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class HeapSizeTest {
  @Test
  void aTextTakesAByteForEachCharacterOfLatin1AndElseTwo() {
    assertThat(HeapSize.of("")).isZero();
    assertThat(HeapSize.of("abcé")).isEqualTo(4);
    assertThat(HeapSize.of("abc€")).isEqualTo(8);
  }

  @Test
  void aLongTextIsEstimated() {
    assertThat(HeapSize.of("x".repeat(1_000_000))).isEqualTo(1_000_000);
    assertThat(HeapSize.of("語".repeat(1_000_000))).isEqualTo(2_000_000);
    assertThat(HeapSize.of("{\"name\":\"語語語語語語語語語語\"}".repeat(10_000))).isEqualTo(420_000);
  }

  @Test
  void headersTakeTheirNamesAndValues() {
    assertThat(HeapSize.of(Map.of("a", "bc", "d", "€"))).isEqualTo(6);
  }
}
