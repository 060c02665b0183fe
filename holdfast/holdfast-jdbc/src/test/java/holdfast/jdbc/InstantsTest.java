package holdfast.jdbc;

import static holdfast.jdbc.Databases.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstantsTest {

  /** Ordinary, before 1970, in the gaps and overlaps of clocks put forward and back, extreme. */
  static final List<Instant> INSTANTS =
      List.of(
          Instant.parse("2026-11-15T10:11:12.123456Z"),
          Instant.parse("1970-01-01T00:00:00Z"),
          Instant.parse("1969-12-31T23:59:59.999999Z"),
          Instant.parse("2026-03-08T02:30:00Z"), // a time New York's clocks skip
          Instant.parse("2026-03-08T07:30:00Z"), // half an hour after they did
          Instant.parse("2026-03-29T02:30:00Z"), // a time Berlin's clocks skip
          Instant.parse("2026-11-01T05:30:00Z"), // New York, first half past one
          Instant.parse("2026-11-01T06:30:00Z"), // New York, second half past one
          Instant.parse("2038-01-19T03:14:08Z"), // past 32 bits of seconds
          Instant.parse("1582-10-10T12:00:00Z"), // days that the Julian calendar lost
          Instant.parse("1000-01-01T00:00:00.000001Z"),
          Sql.EARLIEST,
          Sql.LATEST);

  private static final String INSERT = "INSERT INTO %s (id, at) VALUES (?, ?)";
  private static final String READ = "SELECT at FROM %s ORDER BY id";

  private final TimeZone zone = TimeZone.getDefault();

  @AfterEach
  void restoreZone() {
    TimeZone.setDefault(zone);
  }

  @EachDatabase
  void comeBackWhateverTheZoneOfTheJvm(TestDatabase database) throws SQLException {
    Dialect dialect = create(database, "at_jvm");

    inZone("America/New_York", () -> write(database, dialect, "at_jvm"));
    for (String reader : List.of("Europe/Berlin", "Asia/Kathmandu", "UTC", "Pacific/Apia")) {
      inZone(reader, () -> assertThat(read(database, dialect, "at_jvm")).isEqualTo(INSTANTS));
    }
  }

  @EachDatabase
  void comeBackWhenTheZoneChangesUnderAnOpenConnection(TestDatabase database) throws SQLException {
    Dialect dialect = create(database, "at_open");
    try (Connection connection = database.connect()) {
      TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
      write(connection, dialect, "at_open");
      TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
      assertThat(read(connection, dialect, "at_open")).isEqualTo(INSTANTS);
    }
  }

  @EachDatabase
  void comeBackWhateverTheZoneOfTheSession(TestDatabase database) throws SQLException {
    Dialect dialect = create(database, "at_session");
    try (Connection connection = database.connect()) {
      execute(connection, DatabaseClockTest.sessionInAnotherZone(database.kind()));
      write(connection, dialect, "at_session");
      assertThat(read(connection, dialect, "at_session")).isEqualTo(INSTANTS);
    }
    assertThat(read(database, dialect, "at_session")).isEqualTo(INSTANTS);
  }

  @EachDatabase
  void areKeptAsUtcTextThatPeopleCanRead(TestDatabase database) throws SQLException {
    Dialect dialect = create(database, "at_text");
    inZone("America/New_York", () -> write(database, dialect, "at_text"));

    try (Connection connection = database.connect();
        Sql sql =
            dialect.sql(connection, "SELECT CAST(at AS CHAR(26)) FROM at_text WHERE id = 0")) {
      assertThat(sql.first(Row::string)).contains("2026-11-15 10:11:12.123456");
    }
  }

  @EachDatabase
  void comeBackFromStatementsThatDriversHaveOptimised(TestDatabase database) throws SQLException {
    Dialect dialect = create(database, "at_often");
    try (Connection connection = database.connect()) {
      for (int round = 0; round < 10; round++) {
        execute(connection, "DELETE FROM at_often");
        write(connection, dialect, "at_often");
        assertThat(read(connection, dialect, "at_often")).isEqualTo(INSTANTS);
      }
    }
  }

  @EachDatabase
  void canBeFoundByTheValueThatWasRead(TestDatabase database) throws SQLException {
    Dialect dialect = create(database, "at_found");
    Instant nanos = Instant.parse("2026-11-15T10:11:12.999999999Z");
    try (Connection connection = database.connect();
        Sql insert = dialect.sql(connection, INSERT.formatted("at_found"));
        Sql find = dialect.sql(connection, "SELECT id FROM at_found WHERE at = ? AND at <= ?")) {
      insert.bind(1).bind(nanos).update();

      assertThat(read(connection, dialect, "at_found"))
          .containsExactly(Instant.parse("2026-11-15T10:11:12.999999Z"));
      assertThat(find.bind(nanos).bind(nanos).first(Row::intValue)).contains(1);
    }
  }

  @ParameterizedTest(name = "{0} is kept as {1}")
  @CsvSource({
    "2026-11-15T10:11:12.123456999Z, 2026-11-15T10:11:12.123456",
    "2026-11-15T10:11:12.000000999Z, 2026-11-15T10:11:12",
    "1969-12-31T23:59:59.999999999Z, 1969-12-31T23:59:59.999999",
    "1969-12-31T23:59:59.000000001Z, 1969-12-31T23:59:59",
    "9999-12-31T23:59:59.999999999Z, 9999-12-31T23:59:59.999999",
  })
  void areCutDownToMicroseconds(Instant instant, java.time.LocalDateTime kept) {
    assertThat(Sql.utcMicros(instant)).isEqualTo(kept);
  }

  @EachDatabase
  void outOfRangeAreRefusedBeforeTheDatabase(TestDatabase database) throws SQLException {
    Dialect dialect = create(database, "at_limits");
    try (Connection connection = database.connect();
        Sql sql = dialect.sql(connection, INSERT.formatted("at_limits"))) {
      sql.bind(1);
      for (Instant outside :
          List.of(
              Instant.MIN, Sql.EARLIEST.minusNanos(1), Sql.LATEST.plusNanos(1_000), Instant.MAX)) {
        assertThatThrownBy(() -> sql.bind(outside))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage(
                "instant must be 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999Z, which all"
                    + " databases can keep, but was %s",
                outside);
      }
      assertThat(sql.bind(Sql.LATEST).update()).isOne();
    }
  }

  private static Dialect create(TestDatabase database, String table) throws SQLException {
    Dialect dialect = Dialect.of(database.dataSource());
    execute(
        database,
        "CREATE TABLE %s (id INT PRIMARY KEY, at %s)".formatted(table, dialect.instantType()));
    return dialect;
  }

  private static void write(TestDatabase database, Dialect dialect, String table)
      throws SQLException {
    try (Connection connection = database.connect()) {
      write(connection, dialect, table);
    }
  }

  static void write(Connection connection, Dialect dialect, String table) throws SQLException {
    try (Sql sql = dialect.sql(connection, INSERT.formatted(table))) {
      for (int id = 0; id < INSTANTS.size(); id++) {
        sql.bind(id).bind(INSTANTS.get(id)).update();
      }
    }
  }

  private static List<Instant> read(TestDatabase database, Dialect dialect, String table)
      throws SQLException {
    try (Connection connection = database.connect()) {
      return read(connection, dialect, table);
    }
  }

  static List<Instant> read(Connection connection, Dialect dialect, String table)
      throws SQLException {
    try (Sql sql = dialect.sql(connection, READ.formatted(table))) {
      return new ArrayList<>(sql.list(Row::instant));
    }
  }

  private void inZone(String id, Step step) throws SQLException {
    TimeZone.setDefault(TimeZone.getTimeZone(id));
    try {
      step.run();
    } finally {
      TimeZone.setDefault(zone);
    }
  }

  private interface Step {
    void run() throws SQLException;
  }
}
