package failover.key.canonical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.key.StoreKey;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Arguments that are large, or look so because parts of them are used many times. */
@Timeout(60)
class LargeArgumentsTest {

  private static StoreKey key(Object arg) throws UnkeyableArgumentException {
    return CanonicalKeys.of("price", List.of(arg));
  }

  @Test
  void primitiveArraysAreTheirBytes() throws UnkeyableArgumentException {
    byte[] image = new byte[CanonicalKeys.MOST_BYTES - 100];
    StoreKey before = key(image);
    assertThat(key(image.clone())).isEqualTo(before);
    image[image.length - 1] = 1;
    assertThat(key(image)).isNotEqualTo(before);
    assertThat(
            Set.of(
                key(new boolean[] {false, true}),
                key(new byte[] {0, 1}),
                key(new short[] {0, 1}),
                key(new char[] {0, 1}),
                key(new int[] {0, 1}),
                key(new long[] {0, 1}),
                key(new float[] {0, 1}),
                key(new double[] {0, 1}),
                key(new Integer[] {0, 1}),
                key(new boolean[] {true, false}),
                key(new byte[] {1, 0}),
                key(new short[] {256, 0}),
                key(new char[] {256, 0}),
                key(new int[] {1 << 24, 0}),
                key(new long[] {1L << 56, 0}),
                key(new float[] {-0f, 1}),
                key(new double[] {-0d, 1})))
        .hasSize(17);
    assertThat(key(new double[] {Double.NaN, 1.5})).isEqualTo(key(new double[] {Double.NaN, 1.5}));
    assertThat(key(new float[] {Float.NaN})).isEqualTo(key(new float[] {Float.NaN}));
  }

  @Test
  void whatIsLargerThanTheLimitAllowsNoKey() {
    Set<String> texts = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      texts.add("x".repeat(1_000) + i);
    }
    for (Object large :
        List.of(
            new byte[CanonicalKeys.MOST_BYTES],
            new long[CanonicalKeys.MOST_BYTES / 8],
            new double[CanonicalKeys.MOST_BYTES],
            "x".repeat(CanonicalKeys.MOST_BYTES / 2),
            texts,
            List.copyOf(texts))) {
      assertThatThrownBy(() -> key(large))
          .isInstanceOf(UnkeyableArgumentException.class)
          .hasMessageContaining("no more than 1048576 bytes")
          .hasMessageContaining("give the point a key function");
    }
  }

  @Test
  void partsThatAreUsedManyTimesDoNotTakeForEver() {
    Object list = "leaf";
    Object map = "leaf";
    Object array = "leaf";
    for (int depth = 0; depth < 60; depth++) {
      list = List.of(list, list);
      map = twice(map);
      array = new Object[] {array, array};
    }
    for (Object shared : List.of(list, map, array)) {
      assertThatThrownBy(() -> key(shared)).isInstanceOf(UnkeyableArgumentException.class);
    }
  }

  private static Map<Integer, Object> twice(Object value) {
    Map<Integer, Object> both = new LinkedHashMap<>();
    both.put(1, value);
    both.put(2, value);
    return both;
  }
}
