package eventbus;

import eventbus.table.EventStore;
import eventbus.work.Counters;
import eventbus.work.WorkerPool;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Events on their way into the table. Safe for use by many threads. */
final class Publications {
  private final EventStore store;
  private final EventRouter router;
  private final WorkerPool pool;
  private final Counters counters;
  private final PayloadLimit limit;

  Publications(
      EventStore store,
      EventRouter router,
      WorkerPool pool,
      Counters counters,
      PayloadLimit limit) {
    this.store = store;
    this.router = router;
    this.pool = pool;
    this.counters = counters;
    this.limit = limit;
  }

  /** Publishes one event; see {@link #publishAll}. */
  long publish(@Nullable Connection conn, Event event) {
    return publishAll(conn, List.of(Objects.requireNonNull(event, "event"))).get(0);
  }

  /** Publishes in the caller's transaction, or without one in a transaction of their own. */
  List<Long> publishAll(@Nullable Connection conn, List<Event> events) {
    Objects.requireNonNull(events, "events");
    events.forEach(event -> limit.check(Objects.requireNonNull(event, "event")));
    List<Long> ids = conn == null ? store.insert(events) : store.insert(conn, events);
    counters.published(events.size());
    if (conn == null || commitsByItself(conn)) {
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
    for (Event event : events) {
      if (router.handles(event.type()) && event.availableAt() == null) {
        if (event.delay().isZero()) {
          pool.wakeUp();
          return;
        }
        pool.wakeIn(event.delay());
      }
    }
  }
}
