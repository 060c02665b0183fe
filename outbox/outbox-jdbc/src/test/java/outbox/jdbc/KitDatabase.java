package outbox.jdbc;

import holdfast.jdbc.DatabaseClock;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import outbox.model.EventStatus;
import outbox.spi.LeaseStoreUnderTest;
import outbox.spi.StoredEvent;

/** What the contract kit is given on one kind of database. */
final class KitDatabase implements LeaseStoreUnderTest {
  private final JdbcOutboxRepository store = new JdbcOutboxRepository();
  private final TestDatabase database;

  KitDatabase(DatabaseKind kind) throws SQLException {
    this.database = TestDatabase.open(kind);
    Table.fresh(database);
  }

  @Override
  public JdbcOutboxRepository store() {
    return store;
  }

  @Override
  public void empty() throws SQLException {
    try (Connection conn = connect();
        var statement = conn.createStatement()) {
      statement.execute("DELETE FROM outbox_event");
      statement.execute("DELETE FROM outbox_event_order");
    }
  }

  @Override
  public Connection connect() throws SQLException {
    return database.connect();
  }

  @Override
  public JdbcOutboxRepository after(Duration passed) {
    return new JdbcOutboxRepository(
        JdbcOutboxSettings.DEFAULT.withClock(DatabaseClock.offBy(() -> passed)));
  }

  @Override
  public JdbcOutboxRepository skippingDead() {
    return new JdbcOutboxRepository(JdbcOutboxSettings.DEFAULT.withOnDead(OnDead.SKIP));
  }

  @Override
  public StoredEvent stored(String eventId) throws SQLException {
    try (Connection conn = connect();
        PreparedStatement query =
            conn.prepareStatement("SELECT * FROM outbox_event WHERE event_id = ?")) {
      query.setString(1, eventId);
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? read(row) : null;
      }
    }
  }

  private static StoredEvent read(ResultSet row) throws SQLException {
    return new StoredEvent(
        EventStatus.of(row.getInt("status")),
        row.getInt("attempts"),
        instant(row, "available_at"),
        instant(row, "created_at"),
        instant(row, "done_at"),
        row.getString("last_error"),
        row.getString("claimed_by"),
        row.getLong("claim_token"),
        row.getInt("lapses"),
        instant(row, "unhandled_since"),
        instant(row, "failing_since"),
        row.getInt("parked") == 1);
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    LocalDateTime utc = row.getObject(column, LocalDateTime.class);
    return utc == null ? null : utc.toInstant(ZoneOffset.UTC);
  }

  @Override
  public void close() throws SQLException {
    database.close();
  }
}
