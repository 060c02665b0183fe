package eventbus.work;

import eventbus.Claim;
import eventbus.EventStatus;
import eventbus.table.ClaimedEventWriter;
import eventbus.table.EventStore;
import eventbus.table.Finish;
import holdfast.work.Ended;
import holdfast.work.ErrorText;
import holdfast.work.Outcome;
import holdfast.work.WorkStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The tables of the bus, as the engine uses them. Safe for use by many threads. */
final class ClaimedEvents implements WorkStore<ClaimedEvent> {
  private final EventStore store;
  private final String worker;
  private final Duration lease;

  ClaimedEvents(EventStore store, String worker, Duration lease) {
    this.store = store;
    this.worker = worker;
    this.lease = lease;
  }

  @Override
  public Start start(ClaimedEvent item, boolean renew) {
    int group = item.suspectGroup();
    if (renew && !store.start(item.event().claim(), worker, lease, group)) {
      return Start.LOST;
    }
    if (group == 1) {
      item.countStart();
    }
    return Start.GRANTED;
  }

  @Override
  public Set<ClaimedEvent> renew(List<ClaimedEvent> items) {
    List<Claim> claims = items.stream().map(item -> item.event().claim()).toList();
    return among(items, store.renew(claims, worker, lease));
  }

  private static Set<ClaimedEvent> among(List<ClaimedEvent> items, Set<Long> ids) {
    return items.stream().filter(item -> ids.contains(item.id())).collect(Collectors.toSet());
  }

  /** All in one transaction. */
  @Override
  public Set<ClaimedEvent> record(List<Ended<ClaimedEvent>> outcomes) {
    Set<Long> late = new HashSet<>();
    store.write(
        writer -> {
          late.clear();
          record(writer, outcomes, late);
        });
    return among(outcomes.stream().map(Ended::item).toList(), late);
  }

  @Override
  public int retryNow(String type, int limit) {
    return store.retryNow(type, limit);
  }

  private static void record(
      ClaimedEventWriter writer, List<Ended<ClaimedEvent>> outcomes, Set<Long> late)
      throws SQLException {
    List<Finish> finishes = new ArrayList<>();
    List<Claim> unstarted = new ArrayList<>();
    for (Ended<ClaimedEvent> ended : outcomes) {
      ClaimedEvent item = ended.item();
      Claim claim = item.event().claim();
      if (ended.outcome() instanceof Outcome.Done) {
        finishes.add(Finish.of(claim, EventStatus.COMPLETED, null));
      } else if (ended.outcome() instanceof Outcome.Dead dead) {
        finishes.add(Finish.of(claim, EventStatus.FAILED, dead.error()));
      } else if (ended.outcome() instanceof Outcome.Retry retry) {
        String error = ErrorText.withStack(retry.cause());
        if (!writer.retry(claim, retry.delay(), item.doneHandlers(), error, retry.counted())) {
          late.add(claim.id());
        }
      } else if (!item.doneHandlers().isEmpty()) {
        // One released that another has by now is not stale: its handlers did not end here.
        writer.release(claim, item.doneHandlers(), item.isStartCounted());
      } else if (item.isStartCounted()) {
        writer.release(List.of(claim), true);
      } else {
        unstarted.add(claim);
      }
    }
    writer.release(unstarted, false);
    writer.finish(finishes).forEach(finish -> late.add(finish.id()));
  }
}
