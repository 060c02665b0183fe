package failover.store;

import failover.codec.PayloadCodec.CodecException;
import failover.store.FailoverStore.DropReason;
import failover.store.FailoverStore.StoreListener;
import failover.store.PendingWrites.Failure;
import failover.store.PendingWrites.Write;
import holdfast.lifecycle.Deadline;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes what waits in the queue of an {@link AsyncFailoverStore}, and decides what becomes of a
 * write that fails. For use by one thread at a time, except where said otherwise.
 */
final class PendingWriter {
  /** How long to wait after a failure, or while nothing waits. */
  static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  /** How often a write fails while the store takes others, before it is dropped. */
  static final int MOST_FAILURES = 3;

  private static final int BATCH = 64;

  private final PendingWrites pending;
  private final FailoverStore target;
  private final Supplier<StoreListener> listener;
  private final BiConsumer<Write, DropReason> drop;
  private final TimeSource time;
  private final LongAdder failed = new LongAdder();
  private long taken; // writes that the store took

  /**
   * A writer.
   *
   * @param pending what waits
   * @param target where it is written
   * @param listener the listener of the moment
   * @param drop is given what is not tried again
   * @param time the clock
   */
  PendingWriter(
      PendingWrites pending,
      FailoverStore target,
      Supplier<StoreListener> listener,
      BiConsumer<Write, DropReason> drop,
      TimeSource time) {
    this.pending = pending;
    this.target = target;
    this.listener = listener;
    this.drop = drop;
    this.time = time;
  }

  /** How often a write failed. Safe for use by many threads. */
  long failed() {
    return failed.sum();
  }

  /** Counts a failure of something else than a write. Safe for use by many threads. */
  void countFailure() {
    failed.increment();
  }

  /** Writes some of what waits; how long to wait until the next time. */
  Duration writeSome() {
    List<Write> fresh = pending.fresh(BATCH);
    if (!fresh.isEmpty() && !writeFresh(fresh)) {
      return AFTER_FAILURE;
    }
    DownTenants down = new DownTenants();
    for (Write write : pending.due(BATCH, time.nanoTime())) {
      RuntimeException failure = down.concerns(write) ? null : write(write);
      boolean isDown = isUnavailable(failure) && down.isAll(write);
      if (down.concerns(write)) {
        waitAside(write);
      } else if (failure != null && !isDown) {
        setAside(write, failure);
      }
      if (isDown) {
        return AFTER_FAILURE;
      }
    }
    return pending.fresh(1).isEmpty() ? AFTER_FAILURE : Duration.ZERO;
  }

  /** Writes those that have not failed yet; false if the store seems to take nothing at all. */
  private boolean writeFresh(List<Write> writes) {
    if (writeAnswers(writes)) {
      return true;
    }
    long before = taken;
    boolean isDown = false;
    DownTenants down = new DownTenants();
    Map<Write, RuntimeException> failures = new LinkedHashMap<>();
    for (Write write : writes) {
      RuntimeException failure = down.concerns(write) ? null : write(write);
      isDown = isUnavailable(failure) && down.isAll(write);
      if (down.concerns(write)) {
        waitAside(write);
      } else if (failure != null && !isDown) {
        failures.put(write, failure);
      }
      if (isDown) {
        break;
      }
    }
    return classify(failures, taken > before) && !isDown;
  }

  /**
   * Tells failures of single writes from those of the store; false if all are the store's. Where
   * all of a tenant fail, it is the tenant's own store, unless those of several do.
   */
  private boolean classify(Map<Write, RuntimeException> failures, boolean takesOthers) {
    boolean isWell = takesOthers || failures.isEmpty();
    DownTenants failing = new DownTenants();
    boolean areSeveral = false;
    for (Map.Entry<Write, RuntimeException> failed : failures.entrySet()) {
      Write write = failed.getKey();
      if (takesOthers || isRefused(failed.getValue())) {
        setAside(write, failed.getValue());
        isWell = true;
      } else if (failing.isAll(write)) {
        areSeveral = true;
        pending.postpone(write);
      } else {
        waitAside(write);
      }
    }
    return isWell || (failing.isAny() && !areSeveral);
  }

  /** Has a write that failed by itself wait aside, or drops it if that happened too often. */
  private void setAside(Write write, RuntimeException failure) {
    Failure last = write.failure();
    boolean counts = last == null || isRefused(failure) || taken > last.taken();
    int count = (last == null ? 0 : last.count()) + (counts ? 1 : 0);
    if (count < MOST_FAILURES || write.isRemoval()) {
      long dueAt = time.nanoTime() + AFTER_FAILURE.toNanos();
      pending.setAside(write, new Failure(count, taken, dueAt));
    } else {
      pending.giveUp(write);
      drop.accept(write, DropReason.REFUSED);
    }
  }

  /** Has a write wait aside until the store of its tenant may be there again. */
  private void waitAside(Write write) {
    Failure last = write.failure();
    long dueAt = time.nanoTime() + AFTER_FAILURE.toNanos();
    pending.setAside(write, new Failure(last == null ? 0 : last.count(), taken, dueAt));
  }

  private static boolean isRefused(RuntimeException failure) {
    return failure instanceof FailoverStoreException own && own.isRefused();
  }

  private static boolean isUnavailable(@Nullable RuntimeException failure) {
    return failure instanceof FailoverStoreException own && own.isUnavailable();
  }

  /** Writes answers in bulk; false if it cannot, and each is to be tried by itself. */
  private boolean writeAnswers(List<Write> writes) {
    List<ReferentialPayload> answers = new ArrayList<>();
    for (Write write : writes) {
      ReferentialPayload answer = write.answer();
      if (answer == null || write.removesFirst()) {
        return false; // removals keep their place in the order
      }
      answers.add(answer);
    }
    if (answers.size() < 2) {
      return false;
    }
    try {
      target.storeAll(answers);
    } catch (RuntimeException | Error e) {
      return false; // which of them it was shows when each is tried, and is reported there
    }
    writes.forEach(pending::written);
    taken += writes.size();
    listener.get().written(writes.get(0).key().name());
    return true;
  }

  /** Tries a write; the failure, if it is to be tried again. */
  private @Nullable RuntimeException write(Write write) {
    try {
      writeNow(write);
      pending.written(write);
      taken++;
      listener.get().written(write.key().name());
      return null;
    } catch (CodecException e) { // it will not be encoded the next time either
      report(write, e);
      pending.giveUp(write);
      drop.accept(write, DropReason.NOT_ENCODABLE);
      return null;
    } catch (RuntimeException | Error e) {
      return report(write, e);
    }
  }

  private RuntimeException report(Write write, Throwable thrown) {
    failed.increment();
    RuntimeException failure =
        thrown instanceof RuntimeException own
            ? own
            : new FailoverStoreException(
                "the store must throw exceptions but threw " + thrown, thrown);
    listener.get().failed(write.key().name(), write.operation(), failure);
    return failure;
  }

  /** Writes it on this thread. */
  void writeNow(Write write) {
    ReferentialPayload answer = write.answer();
    if (answer == null || write.removesFirst()) {
      target.delete(write.key());
    }
    if (answer != null) {
      target.store(answer);
    }
  }

  /** Writes what waits until the deadline is over, or the store seems to take nothing. */
  void writeRest(Deadline deadline) {
    int failures = 0;
    DownTenants down = new DownTenants();
    for (Write write : pending.all()) {
      RuntimeException failure = down.concerns(write) ? null : write(write);
      failures = failure == null ? 0 : failures + 1;
      boolean isDown = isUnavailable(failure) && down.isAll(write);
      if (isDown || failures == BATCH || deadline.isOver()) {
        return;
      }
    }
  }
}
