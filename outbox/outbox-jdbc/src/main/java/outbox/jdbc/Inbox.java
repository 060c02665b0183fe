package outbox.jdbc;

import holdfast.jdbc.Dialect;
import holdfast.jdbc.Sql;
import holdfast.jdbc.TableName;
import holdfast.problems.Problems;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;

/**
 * What a consumer has received, kept with its business data, so that delivery at least once has its
 * effect once.
 *
 * <pre>{@code
 * try (Connection conn = dataSource.getConnection()) {
 *   conn.setAutoCommit(false);
 *   if (inbox.firstTime(conn, "mailer", event.eventId())) {
 *     // change business data on the same connection
 *   }
 *   conn.commit();
 * }
 * }</pre>
 *
 * <p>All connections must be to databases of one kind. What is done elsewhere, such as sending a
 * mail, is not undone by a rollback and happens again. Safe for use by many threads; never closes,
 * commits or rolls back the connection it is given.
 */
public final class Inbox {
  /** The table unless configured: {@value}. */
  public static final String DEFAULT_TABLE = "outbox_inbox";

  private static final List<String> COLUMNS = List.of("consumer", "event_id");
  private static final String UNIQUE_VIOLATION = "23505";
  private static final int MAX_CONSUMER = 128;
  private static final int MAX_EVENT_ID = 36;

  /** Leaves room for the index name made from it, {@code …_idx_received}, in 63 characters. */
  private static final int MAX_NAME = 50;

  private final TableName table;
  private volatile @Nullable Insert insert;

  /** The table {@value #DEFAULT_TABLE}; {@link OutboxSchema#createInboxIfMissing} creates it. */
  public Inbox() {
    this(DEFAULT_TABLE);
  }

  /**
   * A table of another name.
   *
   * @param table {@code table} or {@code schema.table}
   * @throws IllegalArgumentException if it is not a valid name, or too long
   */
  public Inbox(String table) {
    this.table = named(table);
  }

  static TableName named(String text) {
    TableName table = TableName.of(text);
    if (table.name().length() > MAX_NAME) {
      throw new IllegalArgumentException(
          "inbox table name must have %d characters or fewer, because the name of an index is made from it, but '%s' has %d; take a shorter one"
              .formatted(MAX_NAME, table.name(), table.name().length()));
    }
    return table;
  }

  /**
   * Whether a consumer receives an event for the first time; notes it, in the caller's transaction.
   * Only a commit makes it final: after a rollback the next one is the first again. A transaction
   * that asks for an event another one has just noted waits until that one has ended.
   *
   * @param conn the connection of the consumer's transaction, autocommit off
   * @param consumer who receives, 1 to 128 characters; each consumer receives every event once
   * @param eventId the event's id, 1 to 36 characters
   * @return whether to handle the event; false if it has been handled
   * @throws IllegalArgumentException if a text is too long, blank or holds a NUL character
   * @throws IllegalStateException if the connection is in autocommit mode
   * @throws OutboxException if the database fails, also when it ends one of several waiting
   *     transactions to resolve a deadlock; roll back and let the event be delivered again
   */
  public boolean firstTime(Connection conn, String consumer, String eventId) {
    Problems problems = new Problems("Inbox");
    check(problems, "consumer", consumer, MAX_CONSUMER);
    check(problems, "eventId", eventId, MAX_EVENT_ID);
    problems.throwIfAny();
    try {
      return insert(conn, consumer, eventId);
    } catch (SQLException e) {
      throw new OutboxException(
          "inbox could not note event " + eventId + " in table " + table + ": " + e.getMessage(),
          e);
    }
  }

  /**
   * Forgets what was received longer ago, in small batches. An event delivered again after that
   * counts as new, so keep what may still be delivered again, and then some.
   *
   * @param dataSource where the table is
   * @param olderThan how long ago by the database's clock, zero or more
   * @return how many notes were removed
   * @throws IllegalArgumentException if the duration is negative
   * @throws OutboxException if the database fails; batches done before stay done
   */
  public long purge(DataSource dataSource, Duration olderThan) {
    new Problems("Inbox").requireZeroOrMore("olderThan", olderThan).throwIfAny();
    try {
      return new InboxPurge(dataSource, table).purge(olderThan);
    } catch (SQLException e) {
      throw new OutboxException("inbox could not purge table " + table + ": " + e.getMessage(), e);
    }
  }

  private boolean insert(Connection conn, String consumer, String eventId) throws SQLException {
    if (conn.getAutoCommit()) {
      throw new IllegalStateException(
          "firstTime needs a transaction but the connection commits each statement by itself; set"
              + " autocommit off and change the business data on the same connection");
    }
    Insert insert = insertFor(conn);
    try (Sql sql = insert.dialect().sql(conn, insert.text())) {
      return sql.bind(consumer).bind(eventId).update() == 1;
    } catch (SQLIntegrityConstraintViolationException e) {
      if (!UNIQUE_VIOLATION.equals(e.getSQLState())) {
        throw e;
      }
      // Only H2: another transaction noted it, and committed, while this statement waited.
      return false;
    }
  }

  private Insert insertFor(Connection conn) throws SQLException {
    Insert known = insert;
    if (known == null) {
      Dialect dialect = Dialect.of(conn);
      known = new Insert(dialect, dialect.insertIfAbsent(table, COLUMNS, COLUMNS));
      insert = known;
    }
    return known;
  }

  private record Insert(Dialect dialect, String text) {}

  private static void check(Problems problems, String name, String text, int max) {
    problems.require(!text.isBlank(), name, "not be blank", text);
    problems.require(
        text.length() <= max, name, "have " + max + " characters or fewer", text.length());
    problems.require(text.indexOf('\0') < 0, name, "have no NUL character", text);
  }
}
