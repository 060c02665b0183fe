package failover;

import failover.observe.AsyncPublisher;
import failover.observe.FailoverLifecycleListener;
import failover.observe.FailoverLifecycleListeners;
import failover.observe.ObservablePublisher;
import failover.observe.PublishedEvents;
import failover.observe.Publishers;
import failover.observe.StateLog;
import failover.store.FailoverStoreException;
import failover.store.StoreListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who is told what, on which thread. Safe for use by many threads. */
final class Observation {
  private final FailoverLifecycleListeners listeners;
  private final Publishers publishers;
  private final @Nullable AsyncPublisher queue;
  private final PublishedEvents events;
  private final StateLog writing;

  Observation(FailoversBuilder builder) {
    this.publishers = new Publishers(builder.publishers, builder.time);
    this.writing = new StateLog(builder.time);
    this.queue =
        builder.publishers.isEmpty() || builder.publisherQueue == 0
            ? null
            : new AsyncPublisher(publishers, builder.publisherQueue, builder.time);
    ObservablePublisher target = queue == null ? publishers : queue;
    this.events = new PublishedEvents(target);
    List<FailoverLifecycleListener> all = new ArrayList<>(builder.listeners);
    if (!builder.publishers.isEmpty()) {
      all.add(events);
    }
    this.listeners = new FailoverLifecycleListeners(all, builder.time);
  }

  FailoverLifecycleListeners listeners() {
    return listeners;
  }

  void configured(FailoverSpec<?> spec) {
    events.configured(spec);
  }

  StoreListener writes() {
    return new StoreListener() {
      @Override
      public void written(String name) {
        writing.well(() -> "failover stores answers again name=" + name);
      }

      @Override
      public void failed(String name, String operation, RuntimeException failure) {
        writing.trouble(
            () ->
                "failover cannot store answers name="
                    + name
                    + FailoverStoreException.reason(failure),
            failure);
        listeners.tell(it -> it.writeFailed(name, operation, failure.getClass().getSimpleName()));
      }

      @Override
      public void dropped(String name) {
        listeners.tell(it -> it.writeFailed(name, "store", "dropped"));
      }
    };
  }

  long dropped() {
    return listeners.dropped() + publishers.dropped() + (queue == null ? 0 : queue.dropped());
  }

  void close(Duration timeout) {
    if (queue != null) {
      queue.close(timeout);
    }
  }
}
