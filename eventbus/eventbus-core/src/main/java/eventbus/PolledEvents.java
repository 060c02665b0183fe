package eventbus;

import eventbus.table.ClaimRequest;
import eventbus.table.ClaimResult;
import eventbus.table.Closing;
import eventbus.table.EventStore;
import eventbus.table.Finish;
import eventbus.work.Announcer;
import eventbus.work.NodeSettings;
import holdfast.jdbc.NodeTables;
import holdfast.problems.Problems;
import holdfast.work.ClaimLoop;
import holdfast.work.SuspectLimit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Events for those who run a loop of their own. Safe for use by many threads. */
final class PolledEvents {
  private static final SuspectLimit ONE_SUSPECT = new SuspectLimit(1, 0);

  private final EventStore store;
  private final NodeSettings settings;
  private final Announcer announcer;
  private final NodeTables nodes;

  PolledEvents(EventStore store, NodeSettings settings, Announcer announcer, NodeTables nodes) {
    this.store = store;
    this.settings = settings;
    this.announcer = announcer;
    this.nodes = nodes;
  }

  List<Event> poll(int max) {
    new Problems("EventBus").require(max >= 1, "max", "be 1 or more", max).throwIfAny();
    nodes.polling();
    nodes.refresh();
    if (nodes.isAllPaused()) {
      return List.of();
    }
    ClaimRequest request =
        new ClaimRequest(
            settings.name(),
            settings.abandonmentTimeout(),
            Map.of(),
            nodes.pausedTypes(),
            ClaimLoop.ANY_PRIORITY,
            Set.of(),
            max,
            settings.maxInFlightBytes(),
            ONE_SUSPECT,
            true,
            settings.maxLapses());
    ClaimResult result = store.claim(request, List::of);
    result.events().forEach(announcer::acquired);
    result.closed().forEach(c -> announcer.failed(c.id(), c.type(), c.error()));
    return result.events();
  }

  boolean close(Event event, EventStatus status, @Nullable String error) {
    Closing closing = store.finish(Finish.of(event.claim(), status, error));
    if (closing == Closing.REFUSED) {
      announcer.stale(event.id());
    } else if (closing == Closing.CLOSED) {
      announce(event, status, error);
    }
    return closing != Closing.REFUSED;
  }

  private void announce(Event event, EventStatus status, @Nullable String error) {
    if (status == EventStatus.COMPLETED) {
      announcer.completed(event, Duration.ZERO);
    } else {
      announcer.failed(event.id(), event.type(), error == null ? "finalized as failed" : error);
    }
  }

  boolean renew(Event event) {
    return store
        .renew(List.of(event.claim()), settings.name(), settings.abandonmentTimeout())
        .isEmpty();
  }

  void release(Event event) {
    store.write(writer -> writer.release(List.of(event.claim()), event.claim().isSuspect()));
    announcer.released();
  }
}
