package tracer.drain;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
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
 * next time. For the thread that drains; another may look at what is in hand, and give up.
 */
final class Batches {
  /*
   * Rings are taken under the monitor, one at a time, and written outside of it: whoever gives up
   * while the sink has one drops all others, and the drain finds none to take any more.
   */
  private static final int PATIENCE = 1000;

  private final Collector collector;
  private final SinkCalls sink;
  private final Drops drops;
  private final Persisted persisted;
  private final Ring copies;
  private volatile @Nullable Taken inHand;
  private volatile boolean givenUp;

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
      persisted.add(taken.lane(), events);
    }
    inHand = null;
    putAway(taken.ring());
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
   * Takes no more rings, and drops what they have, but for the one in hand. Safe for use by many
   * threads.
   */
  @SuppressWarnings("ThreadPriorityCheck") // as above
  synchronized void giveUp(DropReason reason) {
    if (givenUp) {
      return;
    }
    givenUp = true;
    dropSealed(reason); // first, since nothing is taken from a ring while an older one waits
    for (int i = 0; i < collector.rings(); i++) {
      int tries = 0;
      while (collector.drop(i, reason, drops) == Copy.BUSY && tries++ < PATIENCE) {
        Thread.yield();
      }
    }
    dropSealed(reason);
  }

  private void dropSealed(DropReason reason) {
    for (Taken taken = collector.oldest(); taken != null; taken = collector.oldest()) {
      drop(taken, reason);
    }
  }

  /** Drops the ring that the sink could not be given, if there is one. */
  void dropInHand(DropReason reason) {
    Taken taken = inHand;
    inHand = null;
    if (taken != null) {
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
