package holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DialectTextTest {

  private static final TableName TABLE = TableName.of("app.t");
  private static final List<String> COLUMNS = List.of("id", "n");
  private static final List<String> KEY = List.of("id");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "h2 | MERGE INTO app.t (id, n) KEY (id) VALUES (?, ?)",
        "mariadb | INSERT INTO app.t (id, n) VALUES (?, ?) ON DUPLICATE KEY UPDATE n = VALUES(n)",
        "mysql | INSERT INTO app.t (id, n) VALUES (?, ?) ON DUPLICATE KEY UPDATE n = VALUES(n)",
        "postgresql | INSERT INTO app.t (id, n) VALUES (?, ?)"
            + " ON CONFLICT (id) DO UPDATE SET n = EXCLUDED.n",
      })
  void upsertIsSpelledAsTheDatabaseWantsIt(String dialect, String text) {
    assertThat(Dialect.named(dialect).upsert(TABLE, COLUMNS, KEY)).isEqualTo(text);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "h2 | MERGE INTO app.t AS target USING (SELECT 1) AS source ON (target.id = ?1)"
            + " WHEN NOT MATCHED THEN INSERT (id, n) VALUES (?1, ?2)",
        "mariadb | INSERT IGNORE INTO app.t (id, n) VALUES (?, ?)",
        "mysql | INSERT IGNORE INTO app.t (id, n) VALUES (?, ?)",
        "postgresql | INSERT INTO app.t (id, n) VALUES (?, ?) ON CONFLICT (id) DO NOTHING",
      })
  void insertIfAbsentIsSpelledAsTheDatabaseWantsIt(String dialect, String text) {
    assertThat(Dialect.named(dialect).insertIfAbsent(TABLE, COLUMNS, KEY)).isEqualTo(text);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "h2, MERGE_MATCHED",
    "mariadb, ON_DUPLICATE_KEY",
    "mysql, ON_DUPLICATE_KEY",
    "postgresql, ON_CONFLICT",
  })
  void statementsOfOnesOwnFollowTheStyle(String dialect, UpsertStyle style) {
    assertThat(Dialect.named(dialect).upsertStyle()).isEqualTo(style);
  }

  @Test
  void insertHasAPlaceholderForEachColumnOfEachRow() {
    assertThat(Dialect.named("h2").insert(TABLE, COLUMNS, 2))
        .isEqualTo("INSERT INTO app.t (id, n) VALUES (?, ?), (?, ?)");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1_001})
  void insertRefusesRowCountsItCannotServe(int rows) {
    assertThatThrownBy(() -> Dialect.named("h2").insert(TABLE, COLUMNS, rows))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "rows must be 1 to 1000 for 2 columns but was %d; insert in several statements", rows);
  }

  @ParameterizedTest(name = "{1} columns on {0}: {2} rows")
  @CsvSource({
    "h2, 1, 1000",
    "h2, 100, 1000",
    "h2, 101, 990",
    "h2, 100000, 1",
    "mariadb, 65, 1000",
    "mariadb, 66, 992",
    "mariadb, 65535, 1",
    "mysql, 66, 992",
    "postgresql, 66, 992",
    "postgresql, 1600, 40",
  })
  void rowsPerInsertAreBoundedByParameters(String dialect, int columns, int rows) {
    assertThat(Dialect.named(dialect).maxRowsPerInsert(columns)).isEqualTo(rows);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 65_536})
  void aRowThatCannotBeInsertedIsRefused(int columns) {
    assertThatThrownBy(() -> Dialect.named("postgresql").maxRowsPerInsert(columns))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("columnsPerRow must be 1 to 65535 but was %d", columns);
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "mariadb", "mysql", "postgresql"})
  void noColumnNameCanSmuggleSqlIn(String name) {
    Dialect dialect = Dialect.named(name);
    List<String> bad = List.of("id", "n) --");

    for (Runnable attempt :
        List.<Runnable>of(
            () -> dialect.upsert(TABLE, bad, KEY),
            () -> dialect.insertIfAbsent(TABLE, bad, KEY),
            () -> dialect.insert(TABLE, bad, 1))) {
      assertThatThrownBy(attempt::run)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "column name must be 1 to 63 of A-Z, a-z, 0-9 and _, not starting with a digit, but"
                  + " was 'n) --'");
    }
  }

  @Test
  void keyColumnsMustBeAmongTheColumns() {
    Dialect dialect = Dialect.named("h2");
    for (List<String> keys : List.of(List.<String>of(), List.of("other"))) {
      assertThatThrownBy(() -> dialect.upsert(TABLE, COLUMNS, keys))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("key columns must be one or more of the columns [id, n] but were %s", keys);
    }
  }

  @Test
  void anIndexIsForcedOnlyWhereTheDatabaseMayNotTakeItItself() {
    assertThat(Dialect.named("mariadb").forcedIndex("i")).isEqualTo("FORCE INDEX (i)");
    assertThat(Dialect.named("mysql").forcedIndex("i")).isEqualTo("FORCE INDEX (i)");
    assertThat(Dialect.named("postgresql").forcedIndex("i")).isEmpty();
    assertThat(Dialect.named("h2").forcedIndex("i")).isEmpty();
    assertThatThrownBy(() -> Dialect.named("h2").forcedIndex("i)"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
