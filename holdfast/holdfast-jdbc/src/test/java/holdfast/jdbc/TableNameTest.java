package holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
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

  @ParameterizedTest
  @ValueSource(strings = {"order", "select", "ORDER", "Group", "user", "key", "values"})
  void reservedWordsAreRefusedWithTheWayOut(String word) {
    assertThatThrownBy(() -> TableName.of(word))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "table name must not be a reserved word of SQL, since names are not quoted, but was '"
                + word
                + "'; take another such as 'my_"
                + word
                + "'");
    assertThatThrownBy(() -> TableName.of(word + ".t")).hasMessageStartingWith("schema name must");
    assertThatThrownBy(() -> TableName.of("app." + word)).hasMessageStartingWith("table name must");
    assertThat(TableName.of("my_" + word)).hasToString("my_" + word);
  }

  /** The databases are asked: each lists its words, and refuses those it reserves. */
  @EachDatabase
  void whatADatabaseDoesNotTakeIsRefused(TestDatabase database) throws Exception {
    List<String> missed = new ArrayList<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (String word : words(database, statement)) {
        if (isRefused(statement, word) && !ReservedWords.contains(word)) {
          missed.add(word);
        }
      }
    }
    assertThat(missed).isEmpty();
  }

  private static List<String> words(TestDatabase database, Statement statement) throws Exception {
    String list =
        switch (database.kind()) {
          case POSTGRESQL -> "SELECT word FROM pg_get_keywords()";
          case MARIADB -> "SELECT word FROM information_schema.keywords";
          case H2 -> // lists none; those of its manual
              "SELECT * FROM UNNEST(ARRAY['day', 'hour', 'if', 'interval', 'key', 'minus', 'minute',"
                  + " 'month', 'order', 'qualify', 'row', 'rownum', 'second', 'select', 'uescape',"
                  + " 'unknown', 'user', 'value', 'values', 'year', '_rowid_'])";
        };
    List<String> words = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery(list)) {
      while (rows.next()) {
        words.add(rows.getString(1));
      }
    }
    words.removeIf(word -> !Identifier.isValid(word)); // operators such as <=
    assertThat(words).hasSizeGreaterThan(20);
    return words;
  }

  /** No such table is there: what is not refused for its name is refused for that. */
  private static boolean isRefused(Statement statement, String word) {
    return catchThrowableOfType(
            SQLException.class, () -> statement.execute("DELETE FROM " + word + " WHERE 1 = 0"))
        .getSQLState()
        .matches("42000|42001|42601");
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
