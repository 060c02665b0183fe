package chaos.outbox;

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
 * Each claim, release and mark of the table, noted by a trigger in the transaction that made it:
 * what was rolled back is not in it, what was committed is. Renewals are not noted, the row itself
 * has their effect. Safe for use by many threads.
 */
record Journal(TestDatabase database) {
  private static final String TABLE =
      """
      CREATE TABLE journal (
        number BIGSERIAL PRIMARY KEY,
        event_id VARCHAR(36) NOT NULL,
        changed_at TIMESTAMP(6) NOT NULL,
        old_holder VARCHAR(128),
        new_holder VARCHAR(128),
        lease_end TIMESTAMP(6) NOT NULL,
        old_attempts INT NOT NULL,
        new_attempts INT NOT NULL,
        new_status INT NOT NULL
      )
      """;
  private static final String NOTE =
      """
      CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO journal (event_id, changed_at, old_holder, new_holder, lease_end,
                             old_attempts, new_attempts, new_status)
        VALUES (OLD.event_id, clock_timestamp() AT TIME ZONE 'UTC', OLD.claimed_by, NEW.claimed_by,
                OLD.available_at, OLD.attempts, NEW.attempts, NEW.status);
        RETURN NULL;
      END $$
      """;
  private static final String TRIGGER =
      """
      CREATE TRIGGER note_change AFTER UPDATE ON outbox_event FOR EACH ROW
        WHEN (OLD.claim_token <> NEW.claim_token OR OLD.status <> NEW.status)
        EXECUTE FUNCTION note_change()
      """;
  private static final String READ =
      """
      SELECT event_id, changed_at, old_holder, new_holder, lease_end, old_attempts, new_attempts,
             new_status
        FROM journal ORDER BY number
      """;

  /** Begins to note. */
  static Journal begin(TestDatabase database) throws SQLException {
    try (Connection conn = database.connect();
        Statement statement = conn.createStatement()) {
      statement.execute(TABLE);
      statement.execute(NOTE);
      statement.execute(TRIGGER);
    }
    return new Journal(database);
  }

  /** All changes so far. */
  List<Change> changes() throws SQLException {
    List<Change> changes = new ArrayList<>();
    try (Connection conn = database.connect();
        Statement statement = conn.createStatement();
        ResultSet row = statement.executeQuery(READ)) {
      while (row.next()) {
        changes.add(
            new Change(
                row.getString(1),
                instant(row, 2),
                row.getString(3),
                row.getString(4),
                instant(row, 5),
                row.getInt(6),
                row.getInt(7),
                row.getInt(8)));
      }
    }
    return changes;
  }

  private static Instant instant(ResultSet row, int column) throws SQLException {
    return row.getObject(column, LocalDateTime.class).toInstant(ZoneOffset.UTC);
  }
}
