package outbox.dispatch;

import holdfast.time.TimeSource;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.model.Held;
import outbox.spi.EventStore;
import outbox.spi.LeaseStore;

/**
 * Turns marks into statements of the store: fenced by their token where the store knows leases, by
 * the five plain methods where it does not. Safe for use by many threads.
 */
final class MarkStatements {
  private final EventStore store;
  private final TimeSource time;

  MarkStatements(EventStore store, TimeSource time) {
    this.store = store;
    this.time = time;
  }

  /** Writes all marks and tells how many came too late. */
  int write(Connection conn, List<Mark> marks) {
    List<Held> done = new ArrayList<>();
    List<String> closed = new ArrayList<>();
    Map<Duration, List<Held>> givenBack = new LinkedHashMap<>();
    int stale = 0;
    for (Mark mark : marks) {
      Held held = mark.delivery().held();
      if (mark.closesForOthers()) {
        closed.add(mark.delivery().eventId());
      }
      if (held == null || !(store instanceof LeaseStore leases)) {
        stale += writePlain(conn, mark) ? 0 : 1;
      } else if (mark.outcome() instanceof Outcome.Done) {
        done.add(held);
      } else if (mark.outcome() instanceof Outcome.GivenBack back) {
        givenBack.computeIfAbsent(back.delay(), delay -> new ArrayList<>()).add(held);
      } else {
        stale += writeFenced(leases, conn, held, mark.outcome()) ? 0 : 1;
      }
    }
    if (store instanceof LeaseStore leases) {
      stale += done.isEmpty() ? 0 : done.size() - leases.done(conn, done);
      for (Map.Entry<Duration, List<Held>> group : givenBack.entrySet()) {
        // One given back that another node owns by now is no late mark: nobody has delivered it
        // here.
        leases.giveBack(conn, group.getValue(), group.getKey());
      }
      if (!closed.isEmpty()) {
        leases.wakeNext(conn, closed);
      }
    }
    return stale;
  }

  private static boolean writeFenced(
      LeaseStore leases, Connection conn, Held held, Outcome outcome) {
    if (outcome instanceof Outcome.Retry retry) {
      return leases.retry(conn, held, retry.delay(), retry.error());
    }
    if (outcome instanceof Outcome.Dead dead) {
      return leases.dead(conn, held, dead.error());
    }
    if (outcome instanceof Outcome.Unhandled unhandled) {
      return leases.giveBackUnhandled(conn, held, unhandled.delay());
    }
    throw new IllegalStateException("written in groups: " + outcome);
  }

  private boolean writePlain(Connection conn, Mark mark) {
    String id = mark.delivery().eventId();
    Outcome outcome = mark.outcome();
    if (outcome instanceof Outcome.Done) {
      return store.markDone(conn, id) > 0;
    }
    if (outcome instanceof Outcome.Retry retry) {
      return store.markRetry(conn, id, time.instant().plus(retry.delay()), retry.error()) > 0;
    }
    if (outcome instanceof Outcome.Dead dead) {
      return store.markDead(conn, id, dead.error()) > 0;
    }
    if (outcome instanceof Outcome.Unhandled unhandled) {
      // Left due, it would be found by every poll and fill the batch; of the five methods only this
      // one can put it off, though it counts an attempt.
      String error = "no listener for type '" + mark.delivery().event().eventType() + "' here";
      return store.markRetry(conn, id, time.instant().plus(unhandled.delay()), error) > 0;
    }
    // Given back: the row was never changed, so there is nothing to undo.
    return true;
  }

  /** The store as one that lends events, if it is one. */
  @Nullable LeaseStore leases() {
    return store instanceof LeaseStore leases ? leases : null;
  }
}
