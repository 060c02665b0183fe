package failover.store;

import failover.codec.CodecException;
import failover.key.StoreKey;
import failover.store.PendingWrites.Write;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Loop;
import holdfast.lifecycle.Threads;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * A store that is written to behind the back of callers, by one thread.
 *
 * <p>At most so many writes wait, the latest one of each key; further ones are dropped and counted.
 * A write that fails waits behind all others and is tried again; one that cannot be encoded is
 * dropped. Who reads sees what waits. Safe for use by many threads.
 */
public final class AsyncFailoverStore extends StoreBefore {
  /** Writes that may wait unless configured: {@value}. */
  public static final int DEFAULT_CAPACITY = 1_024;

  private static final int BATCH = 64;
  private static final int MOST_FAILURES = 3;
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private final WhenFull whenFull;
  private final TimeSource time;
  private final PendingWrites pending;
  private final WaitingView view;
  private final Loop writer;
  private volatile StoreListener listener;
  private final LongAdder dropped = new LongAdder();
  private final LongAdder failed = new LongAdder();

  /** A queue of {@value #DEFAULT_CAPACITY} writes before a store. */
  public AsyncFailoverStore(FailoverStore target) {
    this(target, DEFAULT_CAPACITY, StoreListener.NONE, TimeSource.system());
  }

  /**
   * A queue before a store that drops what does not fit.
   *
   * @param target the store that is written to; closed with this one
   * @param capacity how many writes may wait, 1 or more
   * @param listener is told what fails and what is dropped
   * @param time the clock
   * @throws IllegalArgumentException if the capacity is out of range
   */
  public AsyncFailoverStore(
      FailoverStore target, int capacity, StoreListener listener, TimeSource time) {
    this(target, capacity, WhenFull.DISCARD, listener, time);
  }

  /**
   * A queue before a store.
   *
   * @param target the store that is written to; closed with this one
   * @param capacity how many writes may wait, 1 or more
   * @param whenFull what becomes of further ones
   * @param listener is told what fails and what is dropped
   * @param time the clock
   * @throws IllegalArgumentException if the capacity is out of range
   */
  public AsyncFailoverStore(
      FailoverStore target,
      int capacity,
      WhenFull whenFull,
      StoreListener listener,
      TimeSource time) {
    super(target);
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity must be 1 or more but was " + capacity);
    }
    this.whenFull = whenFull;
    this.listener = listener;
    this.time = time;
    this.pending = new PendingWrites(capacity);
    this.view = new WaitingView(pending, target);
    this.writer =
        new Loop("failover-store", AFTER_FAILURE, this::writeSome, this::unexpected, time);
    writer.start();
  }

  @Override
  public void store(ReferentialPayload answer) {
    add(new Write(answer.key(), answer));
  }

  @Override
  public void delete(StoreKey key) {
    add(new Write(key, null));
  }

  private void add(Write write) {
    if (pending.add(write)) {
      writer.wakeUp();
    } else {
      refused(write);
    }
  }

  private void refused(Write write) {
    if (whenFull == WhenFull.CALLER_RUNS && !pending.isClosed()) {
      writeNow(write);
      return;
    }
    dropped.increment();
    listener.dropped(write.key().name());
    if (whenFull == WhenFull.ABORT) {
      throw new FailoverStoreException(
          "no more than %d writes may wait but one came; it was dropped"
              .formatted(pending.capacity()),
          null);
    }
  }

  private Duration writeSome() {
    List<Write> writes = pending.first(BATCH);
    if (!writeAnswers(writes)) {
      for (Write write : writes) {
        if (!write(write)) {
          return AFTER_FAILURE;
        }
      }
    }
    return pending.size() == 0 ? AFTER_FAILURE : Duration.ZERO;
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
    listener.written(writes.get(0).key().name());
    return true;
  }

  private boolean write(Write write) {
    try {
      writeNow(write);
      pending.written(write);
      listener.written(write.key().name());
      return true;
    } catch (CodecException e) { // it will not be encoded the next time either
      report(write, e);
      pending.written(write);
      dropped.increment();
      listener.dropped(write.key().name());
      return true;
    } catch (RuntimeException | Error e) {
      report(write, e);
      pending.postpone(write); // what the store refuses for its content must not hold up others
      return false;
    }
  }

  private void report(Write write, Throwable thrown) {
    failed.increment();
    RuntimeException failure =
        thrown instanceof RuntimeException own
            ? own
            : new FailoverStoreException(
                "the store must throw exceptions but threw " + thrown, thrown);
    listener.failed(write.key().name(), write.operation(), failure);
  }

  private void writeNow(Write write) {
    ReferentialPayload answer = write.answer();
    if (answer == null || write.removesFirst()) {
      target.delete(write.key());
    }
    if (answer != null) {
      target.store(answer);
    }
  }

  /** Writing reports its own failures; what comes here is the listener's. */
  private void unexpected(Exception e) {
    failed.increment();
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
  public List<ReferentialPayload> findAll(String name) {
    return view.findAll(name);
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
    return failed.sum();
  }

  /** How many writes wait. */
  public int waiting() {
    return pending.size();
  }

  /**
   * Takes no more writes, writes those that wait unless several fail in a row, and ends. A write
   * that hangs is not waited for any longer than the rest.
   */
  @Override
  public int close(Duration timeout) {
    Deadline deadline = Deadline.after(timeout, time);
    pending.close();
    if (writer.close(deadline.remaining()) && pending.size() > 0) {
      Thread last = Threads.daemon("failover-store-end").newThread(() -> writeRest(deadline));
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

  private void writeRest(Deadline deadline) {
    int failures = 0;
    for (Write write : pending.first(Integer.MAX_VALUE)) {
      if (failures == MOST_FAILURES || deadline.isOver()) {
        return;
      }
      failures = write(write) ? 0 : failures + 1;
    }
  }
}
