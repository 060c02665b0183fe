package outbox.jdbc;

import holdfast.jdbc.Dialect;
import holdfast.jdbc.Isolation;
import holdfast.jdbc.Sql;
import holdfast.jdbc.TableName;
import holdfast.jdbc.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;

/** Removes old notes from an inbox, in short transactions. Immutable, safe for many threads. */
final class InboxPurge {
  private static final int BATCH = 500;

  private record Note(String consumer, String eventId, Instant receivedAt) {}

  private final Transactions transactions;
  private final Dialect dialect;
  private final String old;
  private final String delete;

  InboxPurge(DataSource dataSource, TableName table) throws SQLException {
    this.transactions = Transactions.of(dataSource).withIsolation(Isolation.READ_COMMITTED);
    this.dialect = Dialect.of(dataSource);
    this.old =
        """
        SELECT consumer, event_id, received_at FROM %s
         WHERE received_at >= ? AND received_at < ?
         ORDER BY received_at LIMIT ? %s
        """
            .formatted(table, dialect.lockingClause());
    this.delete = "DELETE FROM %s WHERE consumer = ? AND event_id = ?".formatted(table);
  }

  long purge(Duration olderThan) throws SQLException {
    Instant before = transactions.call(this::now).minus(olderThan);
    Instant from = Instant.EPOCH;
    long purged = 0;
    List<Note> batch;
    do {
      Instant start = from;
      batch = transactions.call(conn -> purgeBatch(conn, start, before));
      purged += batch.size();
      from = batch.isEmpty() ? from : batch.get(batch.size() - 1).receivedAt();
    } while (batch.size() == BATCH);
    return purged;
  }

  private Instant now(Connection conn) throws SQLException {
    try (Sql sql = dialect.sql(conn, "SELECT " + dialect.utcNow())) {
      return sql.first(row -> row.instant())
          .orElseThrow(() -> new SQLException("the database does not tell its time"));
    }
  }

  private List<Note> purgeBatch(Connection conn, Instant from, Instant before) throws SQLException {
    List<Note> batch;
    try (Sql sql = dialect.sql(conn, old)) {
      batch =
          sql.bind(from)
              .bind(before)
              .bind(BATCH)
              .list(row -> new Note(row.string(), row.string(), row.instant()));
    }
    try (Sql sql = dialect.sql(conn, delete)) {
      for (Note note : batch) {
        sql.bind(note.consumer()).bind(note.eventId()).addBatch();
      }
      sql.updateBatch();
    }
    return batch;
  }
}
