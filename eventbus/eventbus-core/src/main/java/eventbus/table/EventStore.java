package eventbus.table;

import eventbus.Backlog;
import eventbus.Claim;
import eventbus.Event;
import eventbus.EventBusException;
import eventbus.EventStatus;
import eventbus.LogFilter;
import eventbus.LoggedEvent;
import eventbus.LossReason;
import eventbus.WaitingEvent;
import holdfast.jdbc.DatabaseClock;
import holdfast.jdbc.DeliveryControl;
import holdfast.jdbc.NodeTables;
import holdfast.jdbc.TableLedger;
import holdfast.ledger.LedgerSnapshot;
import holdfast.time.TimeSource;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The tables of the bus: each call is one short transaction on one connection, unless it says
 * otherwise, and fails with an {@link EventBusException}. Safe for use by many threads.
 */
public final class EventStore {
  private static final int REPUBLISH_BATCH = 100;
  private static final TableLedger LEDGER =
      new TableLedger(
          "eventbus",
          List.of("pending", "processing", "failed"),
          """
          SELECT CASE e.status WHEN 'PENDING' THEN 'pending' ELSE 'processing' END, COUNT(*)
            FROM {events} e GROUP BY e.status
          UNION ALL
          SELECT 'failed', COUNT(*) FROM {log} l WHERE l.status = 'FAILED'
          """,
          LossReason.PURGED_FAILED.code());

  private final Database database;

  /** The tables of those names, by that clock. */
  public EventStore(DataSource dataSource, TableNames names, DatabaseClock clock) {
    this.database = new Database(dataSource, names, clock);
  }

  /**
   * Fails if a table is not as it must be; does nothing if the database cannot tell.
   *
   * @param works whether the bus handles events, and not only publishes
   */
  public void requireTables(boolean works) {
    database.requireTables(works);
  }

  /** Returns what a node of that name knows of the others that share the tables. */
  public NodeTables nodes(String worker, TimeSource time) {
    return database.nodes(worker, time);
  }

  /** Returns what pauses and resumes types for all nodes; it warns of types not handled here. */
  public DeliveryControl control(NodeTables nodes, Predicate<String> handled) {
    return new DeliveryControl(
        "eventbus", nodes, handled, (what, e) -> Database.failure(what, e, null));
  }

  /** Returns how many events wait after a failure, of one type or of any. */
  public long countWaiting(@Nullable String type) {
    return database.call(
        "count waiting events", (conn, table) -> WaitingRows.count(conn, table, type));
  }

  /** Returns events that wait after a failure, by their ids, after one of them if it is given. */
  public List<WaitingEvent> waiting(@Nullable String type, int limit, @Nullable Long after) {
    return database.call(
        "list waiting events", (conn, table) -> WaitingRows.list(conn, table, type, limit, after));
  }

  /** Inserts events and returns their ids, in order. */
  public List<Long> insert(List<Event> events) {
    return database.callAgainAfterDeadlock(
        "publish", (conn, table) -> InsertEvents.all(conn, table, events));
  }

  /** The same in the caller's transaction. */
  public List<Long> insert(Connection conn, List<Event> events) {
    return database.join(conn, "publish", (c, table) -> InsertEvents.all(c, table, events));
  }

  /**
   * Claims due events.
   *
   * @param request what is asked for
   * @param inFlight what the caller still has, asked if claims have lapsed: its own are not taken
   *     from itself
   * @return what was claimed
   */
  public ClaimResult claim(ClaimRequest request, Supplier<List<Long>> inFlight) {
    return database.callAgainAfterDeadlock(
        "claim events", (conn, table) -> new ClaimEvents(conn, table, request).claim(inFlight));
  }

  /**
   * Closes an event whoever has it; does nothing if it is closed like this already.
   *
   * @throws eventbus.UnknownEventException if there is no such event
   */
  public void finish(long id, EventStatus status) {
    database.call(
        "finalize event " + id,
        (conn, table) -> {
          FinishEvents.finish(conn, table, id, status);
          return true;
        });
  }

  /**
   * Closes an event by its claim.
   *
   * @throws eventbus.UnknownEventException if there is no such event
   */
  public Closing finish(Finish finish) {
    return database.call(
        "finalize event " + finish.id(),
        (conn, table) -> {
          FinishEvents.Result result = FinishEvents.finish(conn, table, List.of(finish));
          if (result.refused().isEmpty()) {
            return result.moved() == 1 ? Closing.CLOSED : Closing.ALREADY_CLOSED;
          }
          FinishEvents.requireKnown(conn, table, finish);
          return Closing.REFUSED;
        });
  }

  /** Does several things with claimed events, all or none. */
  public void write(ClaimedEventWriter.Work work) {
    database.call(
        "write outcomes",
        (conn, table) -> {
          work.with(new ClaimedEventWriter(conn, table));
          return true;
        });
  }

  /** Makes events of a type due that wait after a failure, so many at most; returns how many. */
  public int retryNow(String type, int limit) {
    return database.call(
        "make retries due",
        (conn, table) -> new ClaimedEventWriter(conn, table).retryNow(type, limit));
  }

  /** Renews claims and returns the ids that are held no more. */
  public Set<Long> renew(Collection<Claim> claims, String worker, Duration lease) {
    return database.call(
        "renew claims",
        (conn, table) -> new ClaimedEventWriter(conn, table).renew(claims, worker, lease));
  }

  /**
   * Renews before the handlers run, and notes the group of a suspect; false if the event is lost.
   *
   * @param suspectGroup the size of the group; 0 for an event that is no suspect
   */
  public boolean start(Claim claim, String worker, Duration lease, int suspectGroup) {
    return database.call(
        "start event " + claim.id(),
        (conn, table) ->
            new ClaimedEventWriter(conn, table).start(claim, worker, lease, suspectGroup));
  }

  /** Lines of the log, latest first, after one of them if it is given. */
  public List<LoggedEvent> log(LogFilter filter, int limit, @Nullable LoggedEvent after) {
    return database.call(
        "read the log", (c, table) -> LogLines.list(c, table, filter, limit, after));
  }

  /** One line of the log. */
  public Optional<LoggedEvent> logged(long id) {
    return database.call("read the log", (c, table) -> LogLines.find(c, table, id)).stream()
        .findFirst();
  }

  /** How many lines of the log match. */
  public long countLog(LogFilter filter) {
    return database.call("read the log", (c, table) -> LogLines.count(c, table, filter));
  }

  /** Makes a new event of a line of the log and returns its id. */
  public long republish(long id) {
    return database.call("publish again", (c, table) -> LogLines.republish(c, table, id));
  }

  /** The same unless there is one already; empty then, and if there is no such line. */
  public Optional<Long> republishOnce(long id) {
    return database
        .call("publish again", (c, table) -> LogLines.republish(c, table, List.of(id), false))
        .stream()
        .findFirst();
  }

  /** Makes new events of lines that match and were not published again; returns how many. */
  public long republishAll(LogFilter filter, long most) {
    long last = database.call("publish again", (c, t) -> LogLines.lastId(c, t, filter));
    long made = 0;
    long after = 0;
    List<Long> batch;
    do {
      long from = after;
      int limit = (int) Math.min(REPUBLISH_BATCH, most - made);
      batch =
          database.call("publish again", (c, t) -> LogLines.ids(c, t, filter, from, last, limit));
      if (!batch.isEmpty()) {
        List<Long> ids = batch;
        made +=
            database.call("publish again", (c, t) -> LogLines.republish(c, t, ids, false)).size();
        after = ids.get(ids.size() - 1);
      }
    } while (batch.size() == REPUBLISH_BATCH && made < most);
    return made;
  }

  /** Removes lines of the log that were finished so long ago; returns how many. */
  public long purge(EventStatus status, Duration olderThan, BooleanSupplier stop) {
    Instant before =
        database.call("purge the log", (conn, table) -> table.now(conn)).minus(olderThan);
    Instant from = Instant.EPOCH;
    long purged = 0;
    List<PurgeLog.Line> batch;
    do {
      Instant start = from;
      batch =
          database.call(
              "purge the log", (c, table) -> PurgeLog.batch(c, table, status, start, before));
      purged += batch.size();
      from = batch.isEmpty() ? from : batch.get(batch.size() - 1).finishedAt();
    } while (batch.size() == PurgeLog.BATCH && !stop.getAsBoolean());
    return purged;
  }

  /** The same, until so many are removed; finishes the batch that reaches it. */
  public long purge(EventStatus status, Duration olderThan, long most) {
    AtomicLong batches = new AtomicLong();
    return purge(status, olderThan, () -> batches.incrementAndGet() * PurgeLog.BATCH >= most);
  }

  /** The ledger of all nodes together. */
  public LedgerSnapshot ledger() {
    return database.call("read the ledger", LEDGER::read);
  }

  /** Writes the ledger to the log, the last line of a node; see {@link TableLedger#logLast}. */
  public void logLedger(Duration timeout) {
    TableLedger.logLast("eventbus", this::ledger, timeout);
  }

  /** How long what is due of these types has waited, at most. */
  public Duration lag(Set<String> types) {
    return database.call("read its lag", (conn, table) -> Lag.of(conn, table, types));
  }

  /** The types of which an event is due for so long, among those that are asked for. */
  public List<String> overdueTypes(Predicate<String> asked, Duration since) {
    return database.call(
        "look for overdue types",
        (conn, table) -> NextDuePerType.overdueTypes(conn, table, asked, since));
  }

  /** What is to be worked on. */
  public Backlog backlog(Predicate<String> handled) {
    return database.call(
        "read the backlog", (conn, table) -> BacklogByType.backlog(conn, table, handled));
  }
}
