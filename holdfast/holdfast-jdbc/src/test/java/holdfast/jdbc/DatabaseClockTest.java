package holdfast.jdbc;

import static holdfast.jdbc.Databases.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

class DatabaseClockTest {

  @EachDatabase
  void isReadInUtcWhateverTheSessionsZone(TestDatabase database) throws SQLException {
    Dialect dialect = Dialect.of(database.dataSource());
    try (Connection connection = database.connect()) {
      execute(connection, sessionInAnotherZone(database.kind()));

      assertThat(read(dialect, connection)).isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
    }
  }

  @EachDatabase
  void canBeSetForwardAndBackByMicroseconds(TestDatabase database) throws SQLException {
    Dialect dialect = Dialect.of(database.dataSource());
    String query = "SELECT %s, %s".formatted(dialect.utcNow(), dialect.utcNowPlusMicros());
    try (Connection connection = database.connect();
        Sql sql = dialect.sql(connection, query)) {
      execute(connection, sessionInAnotherZone(database.kind()));
      for (Duration offset :
          new Duration[] {
            Duration.ofDays(400).plusNanos(1_000), Duration.ZERO, Duration.ofDays(-400)
          }) {
        long micros = offset.toNanos() / 1_000;
        Duration difference =
            sql.bind(micros)
                .first(row -> Duration.between(row.instant(), row.instant()))
                .orElseThrow();
        assertThat(difference).isEqualTo(offset);
      }
    }
  }

  @EachDatabase
  void standsStillInATransactionWhereClaimed(TestDatabase database) throws SQLException {
    Dialect dialect = Dialect.of(database.dataSource());
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      Instant first = read(dialect, connection);
      Instant later = first;
      long start = System.nanoTime();
      while (later.equals(first) && System.nanoTime() - start < 50_000_000) {
        later = read(dialect, connection);
      }
      assertThat(later.equals(first)).isEqualTo(dialect.freezesClockInTransaction());
      connection.rollback();
    }
  }

  private static Instant read(Dialect dialect, Connection connection) throws SQLException {
    try (Sql sql = dialect.sql(connection, "SELECT " + dialect.utcNow())) {
      return sql.first(Row::instant).orElseThrow();
    }
  }

  static String sessionInAnotherZone(DatabaseKind kind) {
    return switch (kind) {
      case H2, POSTGRESQL -> "SET TIME ZONE 'America/New_York'";
      case MARIADB -> "SET time_zone = '-05:00'";
    };
  }
}
