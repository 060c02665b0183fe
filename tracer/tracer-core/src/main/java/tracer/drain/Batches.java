package tracer.drain;

import holdfast.lifecycle.Deadline;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tracer.DropReason;
import tracer.Lane;
import tracer.lane.Collector;
import tracer.lane.Copy;
import tracer.lane.Drops;
import tracer.lane.Drops.Dropped;
import tracer.lane.RingPool.Taken;
import tracer.ring.Ring;
import tracer.sink.DataLoss;

/**
 * Takes rings and writes them, in batches of a bounded size, so that a sink needs little memory for
 * one, however large rings are. A ring that could not be written stays in hand with what is left of
 * it, and is the first the next time. For the thread that drains; another may look at what is in
 * hand, and give up.
 */
final class Batches {
  /*
   * Rings are taken under the monitor, one at a time, and written outside of it: whoever gives up
   * while the sink has one drops all others, and the drain finds none to take any more.
   */
  private static final int PATIENCE = 1000;

  /** So much of a ring is one batch, 256 KiB; a single event may be larger. */
  private static final int MOST_WORDS = 1 << 15;

  private final Collector collector;
  private final Drops drops;
  private final PersistedCounters persisted;
  private final EmergencySave emergencySave;
  private final Ring copies;

  // Confined to the thread that drains.
  private SinkCalls sink;
  private long since;
  private boolean hasSince;
  private long events;

  private volatile @Nullable Taken inHand;
  private volatile boolean givenUp;
  private final AtomicInteger saving = new AtomicInteger(); // threads that do
  private volatile long copied; // guarded by this, but for reading

  Batches(
      Collector collector,
      SinkCalls sink,
      Drops drops,
      PersistedCounters persisted,
      EmergencySave emergencySave) {
    this.collector = collector;
    this.sink = sink;
    this.drops = drops;
    this.persisted = persisted;
    this.emergencySave = emergencySave;
    this.copies = collector.ringForCopies();
  }

  /**
   * Writes to another sink from now on.
   *
   * @param other the sink
   * @param age how old events may be, so that they are written and not dropped; null for any
   */
  void writeTo(SinkCalls other, @Nullable Duration age, long now) {
    sink = other;
    hasSince = age != null;
    since = age == null ? 0 : now - age.toNanos();
    events = 0;
  }

  /** How many events were written since {@link #writeTo}. */
  long events() {
    return events;
  }

  /** Seals the rings of threads that have ended. */
  synchronized void sealEnded(long now) {
    if (!givenUp) {
      collector.sealEnded(now);
    }
  }

  /** How many events are in the ring that is copied into. Safe for use by many threads. */
  long eventsInCopies() {
    return copies.events();
  }

  /** Whether there is nothing that the sink has not taken: no events, and no marks of lost ones. */
  boolean isEmpty() {
    return eventsInCopies() == 0 && collector.isEmpty() && !drops.hasMarks();
  }

  /** How many events were copied out of rings in use. Safe for use by many threads. */
  long copied() {
    return copied;
  }

  /**
   * Writes sealed rings, those of a writer in their order; no more than there are rings, so that
   * other work gets its turn.
   *
   * @return whether none is left
   */
  boolean writeSealed() throws IOException {
    writeInHand();
    for (int i = 0; i < collector.rings(); i++) {
      if (!take(collector::oldest)) {
        sink.caughtUp();
        writeMarks();
        return true;
      }
      writeInHand();
    }
    writeMarks();
    return false;
  }

  private synchronized boolean take(Supplier<@Nullable Taken> from) {
    inHand = givenUp ? null : from.get();
    return inHand != null;
  }

  /**
   * Writes all that was recorded before this call, and the rings of threads that have ended. What
   * writers record meanwhile does not make it longer.
   *
   * @return false if a writer was too busy for a copy
   */
  boolean flush() throws IOException {
    beginFlush();
    boolean complete = writeEarlier();
    while (take(collector::fromEndedThread)) {
      writeInHand();
    }
    writeMarks();
    return complete;
  }

  private synchronized void beginFlush() {
    collector.beginFlush();
  }

  @SuppressWarnings("ThreadPriorityCheck") // only saves time; what is waited for is a few stores
  private boolean writeEarlier() throws IOException {
    writeCopies();
    for (int tries = 0; !isFlushed(); ) {
      if (take(collector::oldest)) {
        writeInHand();
      } else if (tries++ < PATIENCE) {
        Thread.yield();
      } else {
        return false;
      }
      writeCopies();
    }
    return true;
  }

  private synchronized boolean isFlushed() {
    return givenUp || collector.isFlushed();
  }

  private void writeCopies() throws IOException {
    for (int i = 0; i < collector.rings(); i++) {
      int ring = i;
      if (copy(() -> collector.copyEarlier(ring, copies)) == Copy.DONE) {
        writeInHand();
      }
    }
  }

  private synchronized Copy copy(Supplier<Copy> from) {
    if (givenUp) {
      return Copy.NOTHING;
    }
    Copy copy = from.get();
    if (copy == Copy.DONE) {
      copied += copies.events();
      inHand = new Taken(copies, collector.lastLane());
    }
    return copy;
  }

  private void writeInHand() throws IOException {
    write();
    writeCritical();
  }

  /** Writes critical events: they wait for no more than the ring that was under way. */
  private void writeCritical() throws IOException {
    Copy copy = copy(() -> collector.copyCritical(copies));
    while (copy == Copy.OLDER_FIRST && take(collector::oldest)) {
      write();
      copy = copy(() -> collector.copyCritical(copies));
    }
    if (copy == Copy.DONE) {
      write();
    }
  }

  private void write() throws IOException {
    Taken taken = inHand;
    if (taken == null) {
      return;
    }
    if (hasSince && taken.lane() != Lane.CRITICAL) {
      dropOld(taken);
    }
    if (taken.ring().events() > 0) {
      sink.ringBegins();
      try {
        writeAll(taken);
      } finally {
        sink.ringEnded();
      }
    }
    inHand = null;
    putAway(taken.ring());
  }

  private void writeAll(Taken taken) throws IOException {
    Ring ring = taken.ring();
    while (ring.events() > 0) {
      int count = ring.eventsWithin(MOST_WORDS);
      sink.write(() -> collector.oldest(taken, count));
      collector.moving().add(count);
      persisted.add(taken.lane(), count);
      ring.removeOldest(count);
      collector.moving().add(-count);
      events += count;
    }
  }

  private void dropOld(Taken taken) {
    int most = taken.ring().events();
    collector.moving().add(most);
    drops.replaced(taken.lane(), taken.ring().dropBefore(since));
    collector.moving().add(-most);
  }

  private void putAway(Ring ring) {
    if (ring == copies) {
      ring.reset();
    } else {
      collector.giveBack(ring);
    }
  }

  private void writeMarks() throws IOException {
    List<DataLoss> marks = drops.takeMarks();
    int written = 0;
    try {
      for (; written < marks.size(); written++) {
        sink.lost(marks.get(written));
        writeCritical(); // there may be thousands of marks
      }
    } finally {
      marks.subList(written, marks.size()).forEach(drops::putBack);
    }
  }

  /**
   * Whether critical events are being saved in the emergency file. Safe for use by many threads.
   */
  boolean isSaving() {
    return saving.get() > 0;
  }

  /** Whether no more is taken. Safe for use by many threads. */
  boolean isGivenUp() {
    return givenUp;
  }

  /**
   * Takes no more rings, and drops what they have, but for the one in hand; critical events go to
   * the emergency file. Safe for use by many threads.
   *
   * @param rescue how long the emergency file may take for all of them
   */
  @SuppressWarnings("ThreadPriorityCheck") // as above
  synchronized void giveUp(DropReason reason, Duration rescue) {
    if (givenUp) {
      return;
    }
    givenUp = true;
    Deadline deadline = Deadline.after(rescue, TimeSource.system());
    dropSealed(reason, deadline); // first: nothing is taken from a ring while an older one waits
    drop(collector.lastCritical(), reason, deadline);
    for (int i = 0; i < collector.rings(); i++) {
      int tries = 0;
      while (collector.drop(i, reason, drops) == Copy.BUSY && tries++ < PATIENCE) {
        Thread.yield();
      }
    }
    dropSealed(reason, deadline);
  }

  private void dropSealed(DropReason reason, Deadline deadline) {
    for (Taken taken = collector.oldest(); taken != null; taken = collector.oldest()) {
      drop(taken, reason, deadline);
    }
  }

  /** Drops the ring that the sink could not be given, if there is one. */
  void dropInHand(DropReason reason, Duration rescue) {
    Taken taken = inHand;
    inHand = null;
    drop(taken, reason, Deadline.after(rescue, TimeSource.system()));
  }

  private void drop(@Nullable Taken taken, DropReason reason, Deadline deadline) {
    if (taken == null) {
      return;
    }
    Ring ring = taken.ring();
    int events = ring.events();
    collector.moving().add(events);
    if (taken.lane() == Lane.CRITICAL) {
      saving.incrementAndGet();
      try {
        emergencySave.save(collector.events(taken), reason, deadline);
      } finally {
        saving.decrementAndGet();
      }
    } else if (events > 0) {
      drops.count(
          taken.lane(),
          reason,
          new Dropped(ring.origin(), events, ring.oldestTime(), ring.newestTime(), ring.end()));
    }
    putAway(ring);
    collector.moving().add(-events);
  }
}
