package chaos.eventbus;

import holdfast.testkit.db.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/**
 * Each event that changed hands and each line that came into the log, noted by triggers in the
 * transaction that did it: what was rolled back is not in it, what was committed is. Safe for use
 * by many threads.
 */
record Journal(TestDatabase database) {
  private static final List<String> BEGIN =
      List.of(
          """
          CREATE TABLE journal (
            number BIGSERIAL PRIMARY KEY, event_id BIGINT NOT NULL, at TIMESTAMP(6) NOT NULL,
            old_holder VARCHAR(128), new_holder VARCHAR(128), claim_end TIMESTAMP(6) NOT NULL,
            attempts INT NOT NULL)
          """,
          """
          CREATE TABLE closings (
            number BIGSERIAL PRIMARY KEY, event_id BIGINT NOT NULL, at TIMESTAMP(6) NOT NULL,
            attempts INT NOT NULL, status VARCHAR(16) NOT NULL)
          """,
          """
          CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            INSERT INTO journal (event_id, at, old_holder, new_holder, claim_end, attempts)
            VALUES (OLD.id, clock_timestamp() AT TIME ZONE 'UTC', OLD.claimed_by, NEW.claimed_by,
                    OLD.available_at, NEW.attempts);
            RETURN NULL;
          END $$
          """,
          """
          CREATE FUNCTION note_closing() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            INSERT INTO closings (event_id, at, attempts, status)
            VALUES (NEW.id, clock_timestamp() AT TIME ZONE 'UTC', NEW.attempts, NEW.status);
            RETURN NULL;
          END $$
          """,
          """
          CREATE TRIGGER note_change AFTER UPDATE ON events FOR EACH ROW
            WHEN (OLD.claim_token <> NEW.claim_token) EXECUTE FUNCTION note_change()
          """,
          """
          CREATE TRIGGER note_closing AFTER INSERT ON event_log FOR EACH ROW
            EXECUTE FUNCTION note_closing()
          """);
  private static final String CHANGES =
      "SELECT event_id, at, old_holder, new_holder, claim_end, attempts FROM journal"
          + " ORDER BY number";
  private static final String CLOSINGS =
      "SELECT event_id, at, attempts, status FROM closings ORDER BY number";

  private interface Reading<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Begins to note. */
  static Journal begin(TestDatabase database) throws SQLException {
    try (Connection conn = database.connect();
        Statement statement = conn.createStatement()) {
      for (String text : BEGIN) {
        statement.execute(text);
      }
    }
    return new Journal(database);
  }

  List<Change> changes() throws SQLException {
    return list(
        CHANGES,
        row ->
            new Change(
                row.getLong(1),
                instant(row, 2),
                row.getString(3),
                row.getString(4),
                instant(row, 5),
                row.getInt(6)));
  }

  List<Closing> closings() throws SQLException {
    return list(
        CLOSINGS,
        row -> new Closing(row.getLong(1), instant(row, 2), row.getInt(3), row.getString(4)));
  }

  private <T> List<T> list(String query, Reading<T> reading) throws SQLException {
    List<T> found = new ArrayList<>();
    try (Connection conn = database.connect();
        Statement statement = conn.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      while (row.next()) {
        found.add(reading.read(row));
      }
    }
    return found;
  }

  private static Instant instant(ResultSet row, int column) throws SQLException {
    return row.getObject(column, LocalDateTime.class).toInstant(ZoneOffset.UTC);
  }
}
