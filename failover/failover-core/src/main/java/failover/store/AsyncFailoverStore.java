package failover.store;

import failover.key.StoreKey;
import failover.store.FailoverStore.DropReason;
import failover.store.FailoverStore.StoreListener;
import failover.store.FailoverStore.StoredEntry;
import failover.store.PendingWrites.Write;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Loop;
import holdfast.lifecycle.Threads;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * A store that is written to asynchronously, by one thread.
 *
 * <p>The number of writes that wait, the latest one of each key, and their bytes are bounded;
 * further ones are dropped with a {@link DropReason}. Answers that are stored together count as one
 * write, and are written together. Reads see pending writes.
 *
 * <p>A write that fails is tried again after a second. Where the store took others meanwhile, the
 * failure is the write's own: it waits aside, holds up no other, and is dropped after {@value
 * PendingWriter#MOST_FAILURES} of them. Where the store takes nothing, all wait until it does.
 * Removals are never dropped for that; one that does not fit throws. Safe for use by many threads.
 */
public final class AsyncFailoverStore extends ForwardingFailoverStore {
  /** Writes that may wait unless configured: {@value}. */
  public static final int DEFAULT_CAPACITY = 1_024;

  /** Bytes of keys and contents that may wait unless configured: 64 MiB. */
  public static final long DEFAULT_MAX_BYTES = 64L << 20;

  private final int capacity;
  private final long maxBytes;
  private final WhenFull whenFull;
  private final TimeSource time;
  private final PendingWrites pending;
  private final StoreWithPendingWrites view;
  private final PendingWriter writing;
  private final Loop writer;
  private volatile StoreListener listener;
  private final LongAdder dropped = new LongAdder();

  /** A queue of {@value #DEFAULT_CAPACITY} writes and 64 MiB before a store. */
  public AsyncFailoverStore(FailoverStore target) {
    this(target, DEFAULT_CAPACITY, StoreListener.NONE, TimeSource.system());
  }

  /**
   * A queue of at most 64 MiB before a store, that drops what does not fit.
   *
   * @param target the store that is written to; closed with this one
   * @param capacity how many writes may wait, 1 or more
   * @param listener is told what fails and what is dropped
   * @param time the clock
   * @throws IllegalArgumentException if the capacity is out of range
   */
  public AsyncFailoverStore(
      FailoverStore target, int capacity, StoreListener listener, TimeSource time) {
    this(target, capacity, DEFAULT_MAX_BYTES, WhenFull.DISCARD, listener, time);
  }

  /**
   * A queue before a store.
   *
   * @param target the store that is written to; closed with this one
   * @param capacity how many writes may wait, 1 or more
   * @param maxBytes how many bytes their keys and contents may take, by estimate, 1 or more
   * @param whenFull what becomes of further ones
   * @param listener is told what fails and what is dropped
   * @param time the clock
   * @throws IllegalArgumentException if the capacity or the bytes are out of range
   */
  public AsyncFailoverStore(
      FailoverStore target,
      int capacity,
      long maxBytes,
      WhenFull whenFull,
      StoreListener listener,
      TimeSource time) {
    super(target);
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity must be 1 or more but was " + capacity);
    }
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes must be 1 or more but was " + maxBytes);
    }
    this.capacity = capacity;
    this.maxBytes = maxBytes;
    this.whenFull = whenFull;
    this.listener = listener;
    this.time = time;
    this.pending = new PendingWrites(capacity, maxBytes);
    this.view = new StoreWithPendingWrites(pending, target);
    this.writing = new PendingWriter(pending, target, () -> this.listener, this::drop, time);
    // Writing reports its own failures; what comes to the loop is the listener's.
    this.writer =
        new Loop(
            "failover-store",
            PendingWriter.AFTER_FAILURE,
            writing::writeSome,
            e -> writing.countFailure(),
            time);
    writer.start();
  }

  /** Not where callers write what does not fit. */
  @Override
  public boolean isAsynchronous() {
    return whenFull != WhenFull.CALLER_RUNS;
  }

  @Override
  public void store(ReferentialPayload answer) {
    add(new Write(answer.key(), answer));
  }

  /** All of them or none, as one of the writes that may wait, however many answers there are. */
  @Override
  public void storeAll(Collection<ReferentialPayload> answers) {
    if (answers.isEmpty()) {
      return;
    }
    List<Write> writes = Write.together(answers);
    DropReason whyNot = pending.addAll(writes);
    if (whyNot == null) {
      writer.wakeUp();
    } else if (isForCallers(whyNot)) {
      target.storeAll(answers);
    } else {
      refuse(writes, whyNot);
    }
  }

  @Override
  public void delete(StoreKey key) {
    add(new Write(key, null));
  }

  /** Throws if the store fails: unlike single removals these do not wait for it. */
  @Override
  public int deleteAll(String name) {
    List<Write> waiting = pending.under(name);
    waiting.forEach(write -> delete(write.key())); // also what is being written just now
    return Math.max(waiting.size(), target.deleteAll(name));
  }

  /** Throws if the store fails: unlike single removals these do not wait for it. */
  @Override
  public int expireAll(String name, Instant now) {
    int found = 0;
    for (Write write : pending.under(name)) {
      ReferentialPayload answer = write.answer();
      if (answer != null) {
        store(answer.expiredAt(now));
        found++;
      }
    }
    return Math.max(found, target.expireAll(name, now));
  }

  private void add(Write write) {
    DropReason whyNot = pending.add(write);
    if (whyNot == null) {
      writer.wakeUp();
    } else if (isForCallers(whyNot)) {
      writing.writeNow(write);
    } else {
      refuse(List.of(write), whyNot);
    }
  }

  private boolean isForCallers(DropReason whyNot) {
    return whenFull == WhenFull.CALLER_RUNS && whyNot != DropReason.CLOSED;
  }

  private void refuse(List<Write> writes, DropReason reason) {
    writes.forEach(write -> drop(write, reason));
    if (whenFull == WhenFull.ABORT || writes.stream().anyMatch(Write::removes)) {
      throw new FailoverStoreException(
          "a write of failover '%s' was dropped reason=%s, at most %d writes of %d bytes wait; %s"
              .formatted(writes.get(0).key(), reason.code(), capacity, maxBytes, reason.fix()),
          null);
    }
  }

  private void drop(Write write, DropReason reason) {
    dropped.increment();
    listener.dropped(write.key(), reason);
  }

  @Override
  public Optional<ReferentialPayload> find(StoreKey key) {
    return view.find(key);
  }

  @Override
  public List<ReferentialPayload> findAll(Collection<StoreKey> keys) {
    return view.findAll(keys);
  }

  @Override
  public Map<StoreKey, Instant> momentsOf(Collection<StoreKey> keys) {
    return view.momentsOf(keys);
  }

  @Override
  public List<StoredEntry> entries(String name, int limit) {
    return view.entries(name, limit);
  }

  @Override
  public void listener(StoreListener newListener) {
    listener = newListener;
  }

  /** How many writes were dropped. */
  public long dropped() {
    return dropped.sum();
  }

  /** How often a write failed. */
  public long failed() {
    return writing.failed();
  }

  /** How many writes wait. */
  public int waiting() {
    return pending.size();
  }

  /**
   * Takes no more writes, writes those that wait unless the store seems to take nothing, and ends.
   * A write that hangs is not waited for any longer than the rest.
   */
  @Override
  public int close(Duration timeout) {
    Deadline deadline = Deadline.after(timeout, time);
    pending.close();
    if (writer.close(deadline.remaining()) && pending.size() > 0) {
      Thread last =
          Threads.daemon("failover-store-end").newThread(() -> writing.writeRest(deadline));
      last.start();
      try {
        if (!deadline.join(last)) {
          last.interrupt();
        }
      } catch (InterruptedException e) {
        last.interrupt();
        Thread.currentThread().interrupt();
      }
    }
    return pending.size() + target.close(deadline.remaining());
  }

  /** What becomes of a write when too many others wait. */
  public enum WhenFull {
    /** It is dropped and counted. */
    DISCARD,
    /** The caller writes it, and waits for that. */
    CALLER_RUNS,
    /** It is dropped and counted, and its caller gets an exception. */
    ABORT
  }
}
