package holdfast.jdbc;

import static holdfast.jdbc.Databases.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.work.ErrorText;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Lists of values, texts by themselves, columns and errors: small words for all databases. */
class AmongTest {

  @EachDatabase
  void findsWhatIsAmongTheNumbers(TestDatabase database) throws SQLException {
    Dialect dialect = Dialect.of(database.dataSource());
    try (Connection connection = database.connect()) {
      execute(connection, "DROP TABLE IF EXISTS numbers");
      execute(connection, "CREATE TABLE numbers (n BIGINT PRIMARY KEY)");
      for (int n = 1; n <= 40; n++) {
        execute(connection, "INSERT INTO numbers (n) VALUES (" + n + ")");
      }
      for (int count : new int[] {1, 2, 3, 8, 33}) {
        List<Long> wanted = new ArrayList<>();
        for (long n = 1; n <= count; n++) {
          wanted.add(n + 20);
        }
        String query =
            "SELECT n FROM numbers WHERE %s AND n <= ? ORDER BY n"
                .formatted(dialect.among("n", count));
        try (Sql sql = dialect.sql(connection, query)) {
          List<Long> found = sql.bindAll(wanted).bind(40L).list(Row::longValue);
          assertThat(found).isEqualTo(wanted.subList(0, Math.min(count, 20)));
          assertThatThrownBy(() -> sql.bindAll(wanted).list(Row::longValue))
              .isInstanceOf(IllegalStateException.class);
        }
      }
    }
  }

  @EachDatabase
  void findsWhatIsAmongTheTexts(TestDatabase database) throws SQLException {
    Dialect dialect = Dialect.of(database.dataSource());
    try (Connection connection = database.connect()) {
      execute(connection, "DROP TABLE IF EXISTS names");
      execute(connection, "CREATE TABLE names (n VARCHAR(20) PRIMARY KEY)");
      execute(connection, "INSERT INTO names (n) VALUES ('one'), ('it''s'), ('a,b'), ('{}')");
      List<String> wanted = List.of("it's", "{}", "a,b", "missing", "NULL");
      String query = "SELECT n FROM names WHERE " + dialect.among("n", wanted.size());
      try (Sql sql = dialect.sql(connection, query)) {
        assertThat(sql.bindAll(wanted).list(Row::string))
            .containsExactlyInAnyOrder("it's", "{}", "a,b");
      }
    }
  }

  @EachDatabase
  void aTextPlaceholderStandsByItself(TestDatabase database) throws SQLException {
    Dialect dialect = Dialect.of(database.dataSource());
    String query =
        "SELECT t.a FROM (SELECT %1$s AS a UNION ALL SELECT %1$s AS a) t ORDER BY t.a"
            .formatted(dialect.textPlaceholder());
    try (Connection connection = database.connect();
        Sql sql = dialect.sql(connection, query)) {
      assertThat(sql.bind("b").bind("ä").list(Row::string)).containsExactlyInAnyOrder("b", "ä");
    }
  }

  @EachDatabase
  void columnsAreFoundAndAMissingTableHasNone(TestDatabase database) throws SQLException {
    try (Connection connection = database.connect()) {
      execute(connection, "DROP TABLE IF EXISTS some_table");
      execute(connection, "CREATE TABLE some_table (one INT, two INT)");
      assertThat(TableColumns.of(connection, TableName.of("some_table")))
          .containsExactlyInAnyOrder("one", "two");
      assertThat(TableColumns.of(connection, TableName.of("someXtable"))).isEmpty();
    }
  }

  @Test
  void textsOfManyLengthsAreFew() {
    Dialect h2 = Dialect.named("h2");
    assertThat(h2.among("n", 5)).isEqualTo(h2.among("n", 8)).contains("?, ?, ?, ?, ?, ?, ?, ?");
    assertThat(h2.among("n", 1)).isEqualTo("n IN (?)");
    Dialect postgresql = Dialect.named("postgresql");
    assertThat(postgresql.among("n", 5)).isEqualTo("n = ANY (?)");
    assertThatThrownBy(() -> h2.among("n", 0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void errorsAreCutBetweenCharacters() {
    assertThat(ErrorText.of(new IllegalStateException("a\0b")))
        .isEqualTo("java.lang.IllegalStateException: ab");
    assertThat(ErrorText.of(new Error())).isEqualTo("java.lang.Error");
    assertThat(ErrorText.cut("x".repeat(3_999) + "\uD83D\uDE00")).hasSize(3_999);
    assertThat(ErrorText.cut("x".repeat(4_001))).hasSize(4_000);
    assertThat(ErrorText.cut("x".repeat(3_999) + "\uD83Dyy"))
        .isEqualTo("x".repeat(3_999) + "\uFFFD");
    assertThat(ErrorText.cut("a\uDE00b\uD83D\uDE00")).isEqualTo("a\uFFFDb\uD83D\uDE00");
    assertThat(ErrorText.cutOrNull(null)).isNull();
  }

  @Test
  void anErrorShowsWhereItHappenedAndWhyWithinItsLimit() {
    Exception root = new IllegalArgumentException("root");
    String text = ErrorText.withStack(new IllegalStateException("outer", root));
    assertThat(text)
        .startsWith("java.lang.IllegalStateException: outer\n\tat holdfast.jdbc.AmongTest.")
        .contains("\n\t... ", "\nCaused by: java.lang.IllegalArgumentException: root\n\tat ");
    Exception circle = new IllegalStateException("a", new IllegalStateException("b"));
    Objects.requireNonNull(circle.getCause()).initCause(circle);
    assertThat(ErrorText.withStack(circle)).hasSize(4_000);
    Exception broken =
        new IllegalStateException("m") {
          private static final long serialVersionUID = 1L;

          @Override
          public StackTraceElement[] getStackTrace() {
            throw new IllegalStateException("no stack");
          }
        };
    assertThat(ErrorText.withStack(broken)).isEqualTo(broken.getClass().getName() + ": m");
  }

  @Test
  void theClockIsOffByWhatItIsTold() {
    assertThat(DatabaseClock.TRUE.now()).isZero();
    assertThat(DatabaseClock.TRUE.micros(Duration.ofSeconds(-2))).isEqualTo(-2_000_000);
    DatabaseClock off = DatabaseClock.offBy(() -> Duration.ofMillis(1_500));
    assertThat(off.now()).isEqualTo(1_500_000);
    assertThat(off.micros(Duration.ofNanos(1_000))).isEqualTo(1_500_001);
  }
}
