package tracer.drain;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tracer.DropReason;
import tracer.lane.Collector;
import tracer.lane.Copy;
import tracer.lane.Drops;
import tracer.lane.RingPool.Taken;
import tracer.ring.Ring;
import tracer.sink.DataLoss;

/**
 * Takes rings and writes them. A ring that could not be written stays in hand and is the first the
 * next time. Confined to the thread that drains, but for what it has in hand.
 */
final class Batches {
  private static final int PATIENCE = 1000;

  private final Collector collector;
  private final SinkCalls sink;
  private final Drops drops;
  private final Persisted persisted;
  private final Ring copies;
  private volatile @Nullable Taken inHand;

  Batches(Collector collector, SinkCalls sink, Drops drops, Persisted persisted) {
    this.collector = collector;
    this.sink = sink;
    this.drops = drops;
    this.persisted = persisted;
    this.copies = collector.ringForCopies();
  }

  /** How many events are in hand. Safe for use by many threads. */
  long eventsInHand() {
    Taken taken = inHand;
    return taken == null ? 0 : taken.ring().events();
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
      Taken next = collector.oldest();
      if (next == null) {
        writeMarks();
        return true;
      }
      inHand = next;
      writeInHand();
    }
    writeMarks();
    return false;
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
    Taken last = collector.fromEndedThread();
    while (last != null) {
      inHand = last;
      writeInHand();
      last = collector.fromEndedThread();
    }
    return writeSealed() && complete;
  }

  @SuppressWarnings("ThreadPriorityCheck") // only saves time; what is waited for is a few stores
  private boolean writeCopy(int ring) throws IOException {
    for (int tries = 0; tries < PATIENCE; tries++) {
      switch (collector.copy(ring, copies)) {
        case NOTHING -> {
          return true;
        }
        case DONE -> {
          inHand = new Taken(copies, collector.copiedLane());
          writeInHand();
          return true;
        }
        case OLDER_FIRST -> writeSealed();
        case BUSY -> Thread.yield();
      }
    }
    return false;
  }

  private void writeInHand() throws IOException {
    Taken taken = inHand;
    if (taken == null) {
      return;
    }
    int events = taken.ring().events();
    if (events > 0) {
      sink.write(taken.ring().reader(taken.lane()));
      persisted.add(taken.lane(), events);
    }
    putAway(taken.ring());
  }

  private void putAway(Ring ring) {
    inHand = null;
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

  /** Drops all that is left, when there is no time to write it. */
  void dropAll(DropReason reason) {
    Taken taken = inHand;
    if (taken != null) {
      drop(taken, reason);
    }
    dropSealed(reason); // first, since nothing is copied from a ring while an older one waits
    for (int i = 0; i < collector.rings(); i++) {
      if (collector.copy(i, copies) == Copy.DONE) {
        drop(new Taken(copies, collector.copiedLane()), reason);
      }
    }
    dropSealed(reason);
  }

  private void dropSealed(DropReason reason) {
    for (Taken taken = collector.oldest(); taken != null; taken = collector.oldest()) {
      drop(taken, reason);
    }
  }

  private void drop(Taken taken, DropReason reason) {
    Ring ring = taken.ring();
    int events = ring.events();
    if (events > 0) {
      long from = ring.oldestTime();
      drops.count(taken.lane(), reason, events, from, from);
    }
    putAway(ring);
  }
}
