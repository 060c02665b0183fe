package holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SqlTextTest {

  static Stream<Arguments> placeholders() {
    return Stream.of(
        Arguments.of(Lexis.POSTGRESQL, "SELECT 1", 0),
        Arguments.of(Lexis.POSTGRESQL, "?", 1),
        Arguments.of(Lexis.POSTGRESQL, "a = ? AND b = ?", 2),
        Arguments.of(Lexis.POSTGRESQL, "'?' || ? || 'it''s ?'", 1),
        Arguments.of(Lexis.POSTGRESQL, "\"a?\" = ?", 1),
        Arguments.of(Lexis.POSTGRESQL, "'\\' || ?", 1),
        Arguments.of(Lexis.MYSQL, "'\\' ?' || ?", 1),
        Arguments.of(Lexis.MYSQL, "\"\\\" ?\" || ?", 1),
        Arguments.of(Lexis.MYSQL, "`a?\\` = ?", 1),
        Arguments.of(Lexis.POSTGRESQL, "? -- why?\n= ?", 2),
        Arguments.of(Lexis.POSTGRESQL, "? --why?", 1),
        Arguments.of(Lexis.MYSQL, "5--? -- why?", 1),
        Arguments.of(Lexis.MYSQL, "? --", 1),
        Arguments.of(Lexis.MYSQL, "? # why?\n, ?", 2),
        Arguments.of(Lexis.POSTGRESQL, "a # ?", 1),
        Arguments.of(Lexis.POSTGRESQL, "/* ? */ ? /* '", 1),
        Arguments.of(Lexis.POSTGRESQL, "/* /* ? */ ? */ ?", 1),
        Arguments.of(Lexis.MYSQL, "/* /* ? */ ?", 1),
        Arguments.of(Lexis.POSTGRESQL, "a / ?", 1),
        Arguments.of(Lexis.POSTGRESQL, "/*/ ? */ ?", 1),
        Arguments.of(Lexis.POSTGRESQL, "$$ ? $$ || ?", 1),
        Arguments.of(Lexis.POSTGRESQL, "$a_1$ ? $$ ? $a_1$ || ?", 1),
        Arguments.of(Lexis.POSTGRESQL, "$1$ ? $1$", 1),
        Arguments.of(Lexis.POSTGRESQL, "a$b$ = ? AND c$b$ = ?", 2),
        Arguments.of(Lexis.POSTGRESQL, "$a$ ? never ended", 0),
        Arguments.of(Lexis.POSTGRESQL, "$a", 0),
        Arguments.of(Lexis.POSTGRESQL, "? = $a", 1),
        Arguments.of(Lexis.MYSQL, "$$ ? $$", 1),
        Arguments.of(Lexis.POSTGRESQL, "doc ?? 'a' AND b = ?", 1),
        Arguments.of(Lexis.H2, "a = ?1 OR b = ?1 OR c = ?12", 12),
        Arguments.of(Lexis.H2, "a = ?9", 9),
        Arguments.of(Lexis.H2, "a = ?10", 10),
        Arguments.of(Lexis.MYSQL, "'a\\\\' || ? || '?'", 1),
        Arguments.of(Lexis.POSTGRESQL, "E'it\\'s ?' || ?", 1),
        Arguments.of(Lexis.POSTGRESQL, "(e'\\' ?', ?)", 1),
        Arguments.of(Lexis.POSTGRESQL, "date'\\' || ?", 1),
        Arguments.of(Lexis.H2, "? // don't\n, ?", 2),
        Arguments.of(Lexis.POSTGRESQL, "a // ?", 1),
        Arguments.of(Lexis.POSTGRESQL, "1 -- x?\r + ?", 1),
        Arguments.of(Lexis.MYSQL, "'x' /*!40101 , ? */ /*M! , ? */ /* ? */", 2),
        Arguments.of(Lexis.H2, "'never ended ?", 0));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("placeholders")
  void placeholdersAreCountedInCodeOnly(Lexis lexis, String sql, int count) {
    Placeholders placeholders = new Placeholders(lexis);

    assertThat(placeholders.in(sql)).isEqualTo(count);
    assertThat(placeholders.in(sql)).as("as remembered").isEqualTo(count);
  }

  @Test
  void commentsThatMySqlExecutesAreStatements() {
    assertThat(Statements.split("/*!40101 SET a = 1 */; /* no */ SELECT 2;", Lexis.MYSQL))
        .containsExactly("/*!40101 SET a = 1 */", "SELECT 2");
  }

  @Test
  void aScriptIsSplitAtSemicolonsInCodeOnly() {
    String script =
        """
        -- tables; and more
        CREATE TABLE a (s VARCHAR(9) DEFAULT ';'); /* ; */

        ;;
        -- index;
        CREATE INDEX i
            ON a (s) -- last; comment
        ;
        DO $body$ BEGIN; END $body$;
        INSERT INTO a VALUES ('x')
        """;

    assertThat(Statements.split(script, Lexis.POSTGRESQL))
        .isEqualTo(
            List.of(
                "CREATE TABLE a (s VARCHAR(9) DEFAULT ';')",
                "CREATE INDEX i\n    ON a (s) -- last; comment",
                "DO $body$ BEGIN; END $body$",
                "INSERT INTO a VALUES ('x')"));
  }

  @Test
  void aScriptOfCommentsAloneHasNoStatements() {
    assertThat(Statements.split("-- nothing\n/* at all */ ;", Lexis.H2)).isEmpty();
    assertThat(Statements.split("", Lexis.H2)).isEmpty();
  }
}
