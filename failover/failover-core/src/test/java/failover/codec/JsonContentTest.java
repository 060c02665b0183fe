package failover.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class JsonContentTest {
  private static boolean isSame(String one, String other) {
    return JsonContent.isSame(
        JsonMapper.shared(),
        one.getBytes(StandardCharsets.UTF_8),
        other.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void theOrderOfMembersAndElementsDoesNotCount() {
    assertThat(isSame("{\"a\":1,\"b\":[2,{\"c\":3}]}", "{\"b\":[{\"c\":3},2],\"a\":1}")).isTrue();
    assertThat(isSame("[]", "[]")).isTrue();
    assertThat(isSame("[\"a\",null]", "[null,\"a\"]")).isTrue();
  }

  @Test
  void everythingElseCounts() {
    assertThat(isSame("{\"a\":1,\"b\":2}", "{\"a\":2,\"b\":1}")).isFalse();
    assertThat(isSame("{\"a\":1}", "{\"b\":1}")).isFalse();
    assertThat(isSame("[1,1.0]", "[1,1.1]")).isFalse();
    assertThat(isSame("[1,2,[]]", "[1,[2] ]")).isFalse();
    assertThat(isSame("[true,\"ab\"]", "[\"true\", 1]")).isFalse();
    assertThat(isSame("[null]", "[true]")).isFalse();
    assertThat(isSame("[]", "{}")).isFalse();
    assertThat(isSame("[\"1\",2]", "[1,\"2\"]")).isFalse();
    assertThat(isSame("[1]", "[1] ")).isFalse();
  }
}
