package eventlog.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {

  @Test
  void valuesStayTheTextTheyAre() {
    assertThat(
            JsonText.fields(
                " {\"a\" : 1.50 , \"b\":[1,{\"c\":\"]}\"}],\"d\\u0065\":\"\\\"x\\n\",\"n\":null} "))
        .containsExactly(
            entry("a", "1.50"),
            entry("b", "[1,{\"c\":\"]}\"}]"),
            entry("de", "\"\\\"x\\n\""),
            entry("n", "null"));
    assertThat(JsonText.elements("[ {} , [] , true ]")).containsExactly("{}", "[]", "true");
    assertThat(JsonText.elements("[]")).isEmpty();
    assertThat(JsonText.text("\"\\u00e9 \\/ \\t\"")).isEqualTo("é / \t");
    assertThat(JsonText.text(" 12 ")).isEqualTo("12");
    assertThat(JsonText.quoted("a \"b\" \\ \n")).isEqualTo("\"a \\\"b\\\" \\\\ \\u000a\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{\"a\":1}x",
        "{\"a\":01}",
        "{\"a\":nul}",
        "{\"a\":\"x}",
        "{\"a\":\"\\q\"}",
        "{\"a\":\"\\u12\"}",
        "{\"a\":[1}",
        "{a:1}"
      })
  void whatIsNoObjectIsRefused(String json) {
    assertThatThrownBy(() -> JsonText.fields(json)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatIsNestedWithoutEndIsRefused() {
    assertThatThrownBy(() -> JsonText.fields("{\"a\":" + "[".repeat(100_000)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
