package failover;

import failover.key.StoreKey;
import failover.key.StoredName;
import failover.observe.FailoverLifecycleListener;
import failover.observe.ObservablePublisher;
import failover.observe.internal.AsyncPublisher;
import failover.observe.internal.FailoverLifecycleListeners;
import failover.observe.internal.PublishedEvents;
import failover.observe.internal.Publishers;
import failover.observe.internal.StateLog;
import failover.store.FailoverStore.DropReason;
import failover.store.FailoverStore.StoreListener;
import failover.store.FailoverStoreException;
import holdfast.log.LibraryLogger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The listeners and publishers, and on which thread they are called. Safe for use by many threads.
 */
final class Observation {
  private static final System.Logger LOGGER = LibraryLogger.of("failover");

  private final FailoverLifecycleListeners listeners;
  private final Publishers publishers;
  private final @Nullable AsyncPublisher queue;
  private final PublishedEvents events;
  private final StateLog writing;
  private final StateLog checking;
  private final Set<DropReason> toldDropped = ConcurrentHashMap.newKeySet(); // each logged once

  Observation(FailoversBuilder builder) {
    this.publishers = new Publishers(builder.publishers, builder.time);
    this.writing = new StateLog(builder.time);
    this.checking = new StateLog(builder.time);
    this.queue =
        builder.publishers.isEmpty() || builder.publisherQueue == 0
            ? null
            : new AsyncPublisher(
                publishers, builder.publisherQueue, builder.contextPropagator::wrap, builder.time);
    ObservablePublisher target = queue == null ? publishers : queue;
    this.events = new PublishedEvents(target);
    List<FailoverLifecycleListener> all = new ArrayList<>(builder.listeners);
    if (!builder.publishers.isEmpty()) {
      all.add(events);
    }
    this.listeners = new FailoverLifecycleListeners(all, builder.time);
  }

  FailoverLifecycleListener listener() {
    return listeners.orNone();
  }

  void configured(FailoverSpec<?> spec) {
    events.configured(spec);
  }

  StoreListener writes() {
    return new StoreListener() {
      @Override
      public void written(String name) {
        writing.well(() -> "failover stores answers again name=" + StoredName.parse(name));
      }

      @Override
      public void failed(String name, String operation, RuntimeException failure) {
        writing.troubleOf(
            name,
            () ->
                "failover cannot store answers name="
                    + StoredName.parse(name)
                    + FailoverStoreException.reason(failure),
            failure);
        listeners.writeFailed(
            StoredName.effectiveName(name), operation, failure.getClass().getSimpleName());
      }

      @Override
      public void checked(@Nullable Exception failure) {
        if (failure == null) {
          checking.well(() -> "failover checks copies in memory against the table again");
        } else {
          checking.troubleOf(
              "",
              () ->
                  "failover cannot check copies in memory against the table, they are given as they are"
                      + FailoverStoreException.reason(failure),
              failure);
        }
      }

      @Override
      public void dropped(StoreKey key, DropReason reason) {
        if (reason != DropReason.CLOSED && toldDropped.add(reason)) {
          LOGGER.log(
              Level.WARNING,
              "failover drops a write, further ones are only counted name=%s reason=%s; %s"
                  .formatted(key, reason.code(), reason.fix()));
        }
        listeners.writeFailed(StoredName.effectiveName(key.name()), "store", reason.code());
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
