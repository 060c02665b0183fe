package eventbus;

import static java.lang.System.Logger.Level.WARNING;

import eventbus.table.EventStore;
import eventbus.work.Counters;
import eventbus.work.NodeSettings;
import eventbus.work.WorkerPool;
import holdfast.jdbc.PostgreSqlWakeUp;
import holdfast.log.LibraryLogger;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** Events on their way into the table. Safe for use by many threads. */
final class Publications {
  private static final System.Logger LOG = LibraryLogger.of("eventbus");

  private final EventStore store;
  private final EventRouter router;
  private final WorkerPool pool;
  private final PostgreSqlWakeUp others;
  private final boolean publishOnly;
  private final Counters counters;
  private final PayloadLimit limit;
  private final CurrentTransaction current;
  private final BooleanSupplier isStarted;
  private final AtomicBoolean warned = new AtomicBoolean();

  Publications(
      EventBusBuilder builder,
      NodeSettings settings,
      EventStore store,
      WorkerPool pool,
      PostgreSqlWakeUp others,
      Counters counters,
      BooleanSupplier isStarted) {
    this.store = store;
    this.router = builder.router;
    this.pool = pool;
    this.others = others;
    this.publishOnly = builder.publishOnly;
    this.counters = counters;
    this.limit = new PayloadLimit(settings.maxPayloadBytes());
    this.current = builder.transaction;
    this.isStarted = isStarted;
  }

  long publish(Event event) {
    return publishAll(List.of(required(event))).get(0);
  }

  long publish(Connection conn, Event event) {
    return publishAll(conn, List.of(required(event))).get(0);
  }

  private static Event required(Event event) {
    return Objects.requireNonNull(event, "publish needs an event but was given null");
  }

  private void check(List<Event> events) {
    Objects.requireNonNull(events, "publishAll needs events but was given null");
    events.forEach(event -> limit.check(required(event)));
  }

  /** Publishes in the transaction the thread is seen in, or else in one of their own. */
  List<Long> publishAll(List<Event> events) {
    check(events);
    Connection joined = current.connection();
    if (joined == null) {
      List<Long> ids = store.insert(events);
      committed(events);
      return ids;
    }
    List<Long> ids = store.insert(joined, events);
    List<Event> published = List.copyOf(events);
    current.afterCommit(() -> committed(published));
    return ids;
  }

  private void committed(List<Event> events) {
    counters.published(events.size());
    wakeUpFor(events);
  }

  /** Publishes in the transaction of a connection. */
  List<Long> publishAll(Connection conn, List<Event> events) {
    check(events);
    List<Long> ids = store.insert(conn, events);
    counters.published(events.size());
    if (commitsByItself(conn)) {
      wakeUpFor(events);
    }
    return ids;
  }

  private static boolean commitsByItself(Connection conn) {
    try {
      return conn.getAutoCommit();
    } catch (SQLException e) {
      return false; // the next look finds the events, if they were committed
    }
  }

  private void wakeUpFor(List<Event> events) {
    int due = 0;
    for (Event event : events) {
      if (event.availableAt() != null) {
        continue;
      }
      boolean handledHere = !publishOnly && router.handles(event.type());
      if (handledHere && !isStarted.getAsBoolean() && warned.compareAndSet(false, true)) {
        LOG.log(
            WARNING,
            "eventbus publishes but does not handle events here, because start() was not called or"
                + " it is closed: events wait in the table for a node that is started");
      }
      if (handledHere && event.delay().isZero()) {
        due++;
      } else if (handledHere) {
        pool.wakeIn(event.delay());
      } else if (event.delay().isZero()) {
        others.notifyOthers();
      }
    }
    if (due > 0) {
      wakeUp(due);
    }
  }

  /** Wakes this node, and others if so many events are more than it has free workers for. */
  void wakeUp(int due) {
    pool.wakeUp();
    if (publishOnly || due > pool.freeWorkers()) {
      others.notifyOthers();
    }
  }
}
