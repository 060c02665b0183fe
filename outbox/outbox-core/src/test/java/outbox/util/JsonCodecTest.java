package outbox.util;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers as JSON, and what is JSON at all. */
class JsonCodecTest {

  @Test
  void headersComeBackInTheirOrder() {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("z", "1");
    headers.put("a\"\\\n\u0001", "\u20ac \ud83d\ude00 /");
    headers.put("", "");
    String json = JsonCodec.toJson(headers);
    assertThat(JsonCodec.findMistake(json)).isEmpty();
    assertThat(JsonCodec.fromJson(json)).containsExactlyEntriesOf(headers);
    assertThat(JsonCodec.toJson(Map.of())).isEqualTo("{}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "null", "[]", "{\"a\":1}", "{\"a\":null}", "{\"a\":\"b\"", "\"a\""})
  void whatIsNoObjectOfTextsIsRefused(String json) {
    assertThatThrownBy(() -> JsonCodec.fromJson(json)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aTextIsReadWithItsEscapes() {
    assertThat(JsonCodec.stringFromJson("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u20AC\""))
        .isEqualTo("\"\\/\b\f\n\r\t\u20ac");
    assertThatThrownBy(() -> JsonCodec.stringFromJson("1"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> JsonCodec.stringFromJson("\"a\",\"b\":\"c\""))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        " \t\r\n{ } \n",
        "null",
        "true",
        "false",
        "\"\"",
        "0",
        "-0",
        "-0.0",
        "10",
        "1e5",
        "1E+5",
        "1.25e-10",
        "123456789012345678901234567890.5",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83d\\ude00\"",
        "\"\u007f \u2028 \ud83d\ude00\"",
        "[1,[2,{\"a\":[]}],{\"a\":{},\"a\":null}]",
        "{\"\":\"\"}"
      })
  void jsonHasNoMistake(String json) {
    assertThat(JsonCodec.findMistake(json)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "}",
        "[",
        "]",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "{\"a\":1,}",
        "{,}",
        "{a:1}",
        "{1:1}",
        "{\"a\" 1}",
        "{\"a\"::1}",
        "[}",
        "{]",
        "[{]}",
        "nul",
        "nulll",
        "True",
        "tru e",
        "01",
        "-",
        "+1",
        "1.",
        ".5",
        "1.e5",
        "1e",
        "1e+",
        "0x1",
        "1a",
        "NaN",
        "Infinity",
        "\"",
        "\"a",
        "\"\\",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"\\u\uff11\uff11\uff11\uff11\"",
        "\"\n\"",
        "\"\t\"",
        "\"\u0000\"",
        "'a'",
        "1 2",
        "{} {}",
        "[] ]",
        "//",
        "[1]//",
        "\ufeff{}",
        "\u00a01",
        "\u0000",
        "1\u0000",
        "[\u0000]",
        "{\u0000}",
        "\"a\"\u0000",
        "\u0661"
      })
  void whatIsNotJsonHasOne(String json) {
    assertThat(JsonCodec.findMistake(json)).isPresent();
  }

  @Test
  void theMistakeIsNamedWithItsPlace() {
    assertThat(JsonCodec.findMistake("[1,x]"))
        .hasValue("must be JSON: a value expected at position 3 but found 'x'");
    assertThat(JsonCodec.findMistake("[1"))
        .hasValue("must be JSON: ',' or ']' expected at position 2 but found the end");
  }

  @Test
  void noNestingIsTooDeep() {
    int depth = 100_000;
    String arrays = "[".repeat(depth) + "]".repeat(depth);
    String objects = "{\"a\":".repeat(depth) + "1" + "}".repeat(depth);
    assertThat(JsonCodec.findMistake(arrays)).isEmpty();
    assertThat(JsonCodec.findMistake(objects)).isEmpty();
    assertThat(JsonCodec.findMistake(arrays.substring(1))).isPresent();
    assertThat(JsonCodec.findMistake("[".repeat(depth))).isPresent();
  }

  @Test
  void theDepthIsThatOfTheDeepestBracket() {
    assertThat(JsonCodec.depth("1")).isZero();
    assertThat(JsonCodec.depth("\"[[{\\\"[\"")).isZero();
    assertThat(JsonCodec.depth("[]")).isEqualTo(1);
    assertThat(JsonCodec.depth("[{\"a\":[1]},[]]")).isEqualTo(3);
    assertThat(JsonCodec.depth("[[],[],{\"]\":{}}]")).isEqualTo(3);
    assertThat(JsonCodec.depth("[".repeat(100_000) + "]".repeat(100_000))).isEqualTo(100_000);
  }

  @Test
  void itAgreesWithASimplerReaderOnRandomTexts() {
    String letters = "{}[]:,\"\\ \n0123456789-+.eEutfnrals\u00e9\u0001";
    for (int seed = 0; seed < 30_000; seed++) {
      Random random = new Random(seed);
      StringBuilder json = new StringBuilder();
      RandomJson.append(json, random, 4);
      for (int changes = random.nextInt(4); changes > 0; changes--) {
        int at = random.nextInt(json.length() + 1);
        switch (random.nextInt(3)) {
          case 0 -> json.insert(at, letters.charAt(random.nextInt(letters.length())));
          case 1 -> json.delete(at, Math.min(json.length(), at + 1));
          default -> json.setLength(Math.max(1, at));
        }
      }
      String text = json.toString();
      assertThat(JsonCodec.findMistake(text).isEmpty())
          .as("seed %d: %s", seed, text)
          .isEqualTo(RandomJson.isJson(text));
    }
  }
}
