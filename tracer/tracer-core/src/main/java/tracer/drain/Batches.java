package tracer.drain;

import holdfast.lifecycle.Deadline;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tracer.DropReason;
import tracer.Lane;
import tracer.lane.Collector;
import tracer.lane.Copy;
import tracer.lane.Drops;
import tracer.lane.RingPool.Taken;
import tracer.ring.Ring;
import tracer.sink.DataLoss;

/**
 * Takes rings and writes them. A ring that could not be written stays in hand and is the first the
 * next time. For the thread that drains; another may look at what is in hand, and give up.
 */
final class Batches {
  /*
   * Rings are taken under the monitor, one at a time, and written outside of it: whoever gives up
   * while the sink has one drops all others, and the drain finds none to take any more.
   */
  private static final int PATIENCE = 1000;
  private static final Duration FOR_RESCUE = Duration.ofSeconds(1);

  private final Collector collector;
  private final SinkCalls sink;
  private final Drops drops;
  private final Persisted persisted;
  private final Rescue rescue;
  private final Ring copies;
  private volatile @Nullable Taken inHand;
  private volatile boolean givenUp;
  private volatile long inTransit; // written by the thread that drains

  Batches(Collector collector, SinkCalls sink, Drops drops, Persisted persisted, Rescue rescue) {
    this.collector = collector;
    this.sink = sink;
    this.drops = drops;
    this.persisted = persisted;
    this.rescue = rescue;
    this.copies = collector.ringForCopies();
  }

  /** How many events are in hand. Safe for use by many threads. */
  long eventsInHand() {
    Taken taken = inHand;
    return taken == null ? 0 : taken.ring().events();
  }

  /** How many events change from one place to another: one ring at most. Safe for many threads. */
  long eventsInTransit() {
    return inTransit;
  }

  /**
   * Writes sealed rings, those of a writer in their order; no more than there are, so that other
   * work gets its turn.
   *
   * @return whether none is left
   */
  boolean writeSealed() throws IOException {
    writeInHand();
    for (int i = 0; i < collector.rings(); i++) {
      if (!take(collector::oldest)) {
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
   * Writes copies of the rings in use, and the rings of threads that have ended.
   *
   * @return false if a writer was too busy for a copy
   */
  boolean writePartlyFilled() throws IOException {
    boolean complete = true;
    for (int i = 0; i < collector.rings(); i++) {
      complete &= writeCopy(i);
    }
    while (take(collector::fromEndedThread)) {
      writeInHand();
    }
    return writeSealed() && complete;
  }

  @SuppressWarnings("ThreadPriorityCheck") // only saves time; what is waited for is a few stores
  private boolean writeCopy(int ring) throws IOException {
    for (int tries = 0; tries < PATIENCE; tries++) {
      switch (copy(ring)) {
        case NOTHING -> {
          return true;
        }
        case DONE -> {
          writeInHand();
          return true;
        }
        case OLDER_FIRST -> writeSealed();
        case BUSY -> Thread.yield();
      }
    }
    return false;
  }

  private synchronized Copy copy(int ring) {
    if (givenUp) {
      return Copy.NOTHING;
    }
    Copy copy = collector.copy(ring, copies);
    if (copy == Copy.DONE) {
      inHand = new Taken(copies, collector.lastLane());
    }
    return copy;
  }

  private void writeInHand() throws IOException {
    Taken taken = inHand;
    if (taken == null) {
      return;
    }
    int events = taken.ring().events();
    if (events > 0) {
      sink.write(taken.ring().reader(taken.lane()));
    }
    inTransit = events;
    persisted.add(taken.lane(), events);
    inHand = null;
    putAway(taken.ring());
    inTransit = 0;
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
      }
    } finally {
      marks.subList(written, marks.size()).forEach(drops::putBack);
    }
  }

  /** Whether no more is taken. Safe for use by many threads. */
  boolean isGivenUp() {
    return givenUp;
  }

  /**
   * Takes no more rings, and drops what they have, but for the one in hand; critical events go to
   * the emergency file. Safe for use by many threads.
   */
  @SuppressWarnings("ThreadPriorityCheck") // as above
  synchronized void giveUp(DropReason reason) {
    if (givenUp) {
      return;
    }
    givenUp = true;
    Deadline deadline = Deadline.after(FOR_RESCUE, TimeSource.system());
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
  void dropInHand(DropReason reason) {
    Taken taken = inHand;
    inHand = null;
    drop(taken, reason, Deadline.after(FOR_RESCUE, TimeSource.system()));
  }

  private void drop(@Nullable Taken taken, DropReason reason, Deadline deadline) {
    if (taken == null) {
      return;
    }
    Ring ring = taken.ring();
    int events = ring.events();
    if (taken.lane() == Lane.CRITICAL) {
      rescue.save(ring.reader(taken.lane()), reason, deadline);
    } else if (events > 0) {
      long from = ring.oldestTime();
      drops.count(taken.lane(), reason, events, from, from);
    }
    putAway(ring);
  }
}
