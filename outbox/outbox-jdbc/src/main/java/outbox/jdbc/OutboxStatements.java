package outbox.jdbc;

import holdfast.jdbc.Dialect;
import holdfast.jdbc.TableColumns;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All statements for one table on one database. Safe for use by many threads. */
final class OutboxStatements {
  private final OutboxTable table;
  private final PlainStatements plain;
  private final InsertEvents inserts;
  private final ClaimEvents claims;
  private final FencedMarks marks;
  private final HeadCheck heads;
  private final ParkEvents parking;
  private final WakeNext waking;
  private volatile @Nullable Boolean supportsLeases;

  OutboxStatements(Dialect dialect, JdbcOutboxSettings settings) {
    this.table = new OutboxTable(dialect, settings.table());
    this.plain = new PlainStatements(table);
    this.inserts = new InsertEvents(table, settings.clock());
    this.claims = new ClaimEvents(table, settings.clock(), settings.onDead());
    this.marks = new FencedMarks(table, settings.clock());
    this.heads = new HeadCheck(table, settings.onDead());
    this.parking = new ParkEvents(table, settings.clock(), settings.onDead());
    this.waking = new WakeNext(table, settings.clock(), settings.onDead());
  }

  Dialect dialect() {
    return table.dialect();
  }

  OutboxTable table() {
    return table;
  }

  PlainStatements plain() {
    return plain;
  }

  InsertEvents inserts() {
    return inserts;
  }

  ClaimEvents claims() {
    return claims;
  }

  FencedMarks marks() {
    return marks;
  }

  HeadCheck heads() {
    return heads;
  }

  ParkEvents parking() {
    return parking;
  }

  WakeNext waking() {
    return waking;
  }

  /** Asks the metadata once: a statement that fails would end the caller's transaction. */
  boolean supportsLeases(Connection conn) throws SQLException {
    Boolean known = supportsLeases;
    if (known == null) {
      Set<String> columns = TableColumns.of(conn, table.name());
      if (columns.isEmpty()) {
        throw new SQLException(
            "table "
                + table.name()
                + " must exist but was not found; create it with createTables(), or with"
                + " outbox/jdbc/schema/"
                + dialect().name()
                + ".sql of the jar outbox-jdbc");
      }
      known = OutboxTable.isFull(table.name(), columns) && dialect().supportsSkipLocked();
      supportsLeases = known;
    }
    return known;
  }
}
