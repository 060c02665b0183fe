package holdfast.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StringMapJsonTest {

  private static Map<String, String> map(String... namesAndValues) {
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return map;
  }

  @Test
  void writesInTheMapsOrderWithoutSpace() {
    assertThat(StringMapJson.write(map())).isEqualTo("{}");
    assertThat(StringMapJson.write(map("b", "1", "a", ""))).isEqualTo("{\"b\":\"1\",\"a\":\"\"}");
  }

  @Test
  void escapesWhatJsonForbids() {
    assertThat(StringMapJson.write(map("\"\\", "\n\u0000\u001F\u007F/é")))
        .isEqualTo("{\"\\\"\\\\\":\"\\u000a\\u0000\\u001f\u007F/é\"}");
  }

  @Test
  void writesHalfASurrogatePairSoThatUtf8CannotLoseIt() {
    assertThat(StringMapJson.write(map("a", "x\uD83D", "b", "\uDE00y", "c", "\uD83D\uDE00")))
        .isEqualTo("{\"a\":\"x\\ud83d\",\"b\":\"\\ude00y\",\"c\":\"\uD83D\uDE00\"}");
  }

  @Test
  void readsEveryEscapeAndAnySpace() {
    assertThat(
            StringMapJson.read(" \t\r\n{ \"a\" : \"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00E9\\u00e9\" } "))
        .isEqualTo(map("a", "\"\\/\b\f\n\r\téé"));
    assertThat(StringMapJson.read("{ }")).isEmpty();
  }

  @Test
  void keepsTheOrderOfTheTextAndTheLastOfEqualNames() {
    assertThat(StringMapJson.read("{\"b\":\"1\",\"a\":\"2\",\"b\":\"3\"}"))
        .containsExactly(Map.entry("b", "3"), Map.entry("a", "2"));
  }

  @Test
  void givesAMapThatCannotBeChanged() {
    Map<String, String> read = StringMapJson.read("{\"a\":\"1\"}");
    assertThatThrownBy(() -> read.put("b", "2")).isInstanceOf(UnsupportedOperationException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "null",
        "[]",
        "{",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":\"",
        "{\"a\":\"b",
        "{\"a\":\"b\"",
        "{\"a\":\"b\",",
        "{\"a\":\"b\",}",
        "{,}",
        "{\"a\":1}",
        "{\"a\":null}",
        "{\"a\":{}}",
        "{a:\"b\"}",
        "{\"a\":\"b\"}x",
        "{\"a\":\"b\"}{}",
        "{\"a\" \"b\"}",
        "{\"a\":\"b\" \"c\":\"d\"}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12\"}",
        "{\"a\":\"\\u12G4\"}",
        "{\"a\":\"\\u１２３４\"}",
        "{\"a\":\"\n\"}",
        "{\"a\":\"\\",
        "\uFFFF",
        "{\"a\":\"b\uFFFF",
      })
  void refusesEverythingElse(String json) {
    assertThatThrownBy(() -> StringMapJson.read(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("a JSON object of texts must have ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\":1}|must have '\"' at position 5 but has '1' there",
        "{\"a\":\"b\"|must have '}' at position 8 but has the end there",
        "{\"a\":\"b\"}x|must have the end at position 9 but has 'x' there",
      })
  void saysWhatIsWrongAndWhere(String json, String message) {
    assertThatThrownBy(() -> StringMapJson.read(json)).hasMessageContaining(message);
  }

  @Test
  void whateverIsWrittenIsReadBack() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 20_000; round++) {
      Map<String, String> map = new LinkedHashMap<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        map.put(randomText(random), randomText(random));
      }
      assertThat(StringMapJson.read(StringMapJson.write(map))).as("seed %d", seed).isEqualTo(map);
    }
  }

  private static String randomText(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      int bound = random.nextBoolean() ? 128 : Character.MAX_VALUE + 1;
      text.append((char) random.nextInt(bound));
    }
    return text.toString();
  }
}
