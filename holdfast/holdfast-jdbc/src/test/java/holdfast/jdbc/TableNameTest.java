package holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableNameTest {

  private static final String LONGEST = "a".repeat(63);

  @ParameterizedTest
  @ValueSource(strings = {"outbox_event", "a", "_", "_1", "Events2", "app.outbox_event", "_a._b"})
  void validNamesStayAsTheyAre(String text) {
    assertThat(TableName.of(text)).hasToString(text);
  }

  @Test
  void partsMayHaveUpTo63Characters() {
    assertThat(TableName.of(LONGEST + "." + LONGEST).name()).isEqualTo(LONGEST);
    assertThatThrownBy(() -> TableName.of(LONGEST + "a"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> TableName.of(LONGEST + "a.t"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        ".",
        "a.",
        ".a",
        "a.b.c",
        "1a",
        "a.1b",
        "a b",
        "a;",
        "a--",
        "a'b",
        "\"a\"",
        "`a`",
        "a\n",
        "é",
        "a-b",
        "a$b",
        "outbox; DROP TABLE users",
        "a..b",
        "%s"
      })
  void othersAreRefusedWithTheRuleAndWhatWasFound(String text) {
    assertThatThrownBy(() -> TableName.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "table name must be 'table' or 'schema.table', each 1 to 63 of A-Z, a-z, 0-9 and _, not"
                + " starting with a digit, but was '"
                + text
                + "'");
  }

  @Test
  void theConstructorChecksEachPart() {
    assertThat(new TableName(null, "t")).hasToString("t");
    assertThatThrownBy(() -> new TableName("a b", "t"))
        .hasMessageStartingWith("schema name must be")
        .hasMessageEndingWith("but was 'a b'");
    assertThatThrownBy(() -> new TableName("a", "t t"))
        .hasMessageStartingWith("table name must be");
  }
}
