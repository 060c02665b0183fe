package tracer.lane;

import static tracer.lane.RingState.ACTIVE;
import static tracer.lane.RingState.COPIED;
import static tracer.lane.RingState.DRAINING;
import static tracer.lane.RingState.FREE;
import static tracer.lane.RingState.OWNED;
import static tracer.lane.RingState.REFUSED;
import static tracer.lane.RingState.SEALED;
import static tracer.lane.RingState.SEALED_COPIED;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import tracer.Lane;
import tracer.ring.Ring;

/** All rings of a tracer and whose they are. Safe for use by many threads. */
public final class RingPool {
  /*
   * Each ring has one word that says whose it is (RingState). Whoever changes it from FREE, SEALED or
   * ACTIVE to OWNED, DRAINING or COPIED does so by compare-and-set, so exactly one succeeds; the
   * memory of the ring is handed over with the word: what the old owner stored before the change is
   * seen by the new owner after it. There are no lists. Rings are found by looking at all words,
   * which lie side by side; that happens once for each ring that fills up, not for each event.
   *
   * Sealings are numbered, so the oldest ring of a writer is the one with the smallest number. Who
   * looks for the oldest of another looks twice (DrainOrder says why).
   */
  private static final int PATIENCE = 200;

  private final Sizing sizing;
  private final @Nullable Ring[] rings;
  private final AtomicLongArray states;
  private final AtomicLong sealings = new AtomicLong();
  private final DrainOrder order;

  /** A ring, and the lane of its events. */
  public record Taken(Ring ring, Lane lane) {}

  /** A pool whose rings are all free, but those that the memory limit or the heap refuses. */
  public RingPool(Sizing sizing) {
    this.sizing = sizing;
    this.rings = new Ring[sizing.rings()];
    this.states = new AtomicLongArray(sizing.rings());
    this.order = new DrainOrder(states);
    // One of each lane, and backwards: the lanes that may drop least get their memory first.
    int allowed = sizing.allowedRings() - 2;
    for (int i = rings.length - 1; i >= 0; i--) {
      boolean first = i == sizing.first(Lane.INDEX) || i == sizing.first(Lane.DETAIL);
      rings[i] = first || allowed-- > 0 ? allocate(i) : null;
      states.set(i, RingState.of(rings[i] == null ? REFUSED : FREE));
    }
  }

  private @Nullable Ring allocate(int index) {
    try {
      return new Ring(index, sizing.home(index), sizing.ringWords());
    } catch (OutOfMemoryError e) {
      return null; // one array that the heap has no room for; told at the start, as the limit is
    }
  }

  Sizing sizing() {
    return sizing;
  }

  /** The ring of that number. */
  Ring ring(int index) {
    Ring ring = rings[index];
    if (ring == null) {
      throw new IllegalStateException("ring " + index + " has no memory");
    }
    return ring;
  }

  /** Takes a ring of a lane from the pool, the first: it is the likeliest to be in the cache. */
  @Nullable Ring takeFree(Lane home, Writer writer) {
    int first = sizing.first(home);
    for (int i = first; i < first + sizing.rings(home); i++) {
      long state = states.get(i);
      if (RingState.status(state) == FREE && states.compareAndSet(i, state, writer.state(OWNED))) {
        return ring(i);
      }
    }
    return null;
  }

  /**
   * Takes back the oldest sealed ring of a lane: the writer's own, or else of the writer that has
   * most.
   */
  @Nullable Ring takeSealed(Lane lane, Writer writer) {
    long seen = 0;
    while (true) {
      int holder = writer.lane() == lane ? writer.index() : -1;
      int oldest = holder < 0 ? -1 : oldestOf(lane, holder);
      if (oldest < 0) {
        holder = holderOfMost(lane, writer.scratch());
        oldest = holder < 0 ? -1 : oldestOf(lane, holder);
      }
      if (holder < 0) {
        return null;
      }
      if (oldest >= 0) {
        long state = states.get(oldest);
        // One look is enough for its own: nobody else seals them.
        if (RingState.isSealed(state, lane)
            && RingState.writer(state) == holder
            && (state == seen || holder == writer.index())
            && states.compareAndSet(oldest, state, writer.state(OWNED))) {
          return ring(oldest);
        }
        seen = state;
      }
    }
  }

  private int oldestOf(Lane lane, int holder) {
    int oldest = -1;
    long least = Long.MAX_VALUE;
    for (int i = 0; i < rings.length; i++) {
      long state = states.get(i);
      if (RingState.isSealed(state, lane)
          && RingState.writer(state) == holder
          && RingState.sealing(state) < least) {
        least = RingState.sealing(state);
        oldest = i;
      }
    }
    return oldest;
  }

  private int holderOfMost(Lane lane, int[] held) {
    Arrays.fill(held, 0);
    int most = -1;
    for (int i = 0; i < rings.length; i++) {
      long state = states.get(i);
      if (RingState.isSealed(state, lane)) {
        int holder = RingState.writer(state);
        held[holder]++;
        most = most < 0 || held[holder] > held[most] ? holder : most;
      }
    }
    return most;
  }

  /** Keeps the drain out of the writer's ring; false while it copies. */
  boolean own(Ring ring, Writer writer, boolean patient) {
    int i = ring.index();
    for (int spins = 0; ; spins++) {
      long state = states.get(i);
      int status = RingState.status(state);
      if (status == OWNED
          || (status == ACTIVE && states.compareAndSet(i, state, writer.state(OWNED)))) {
        return true;
      }
      if (status == COPIED && (!patient || spins > PATIENCE)) {
        return false;
      }
      Thread.onSpinWait();
    }
  }

  /** Lets the drain look into the writer's ring. */
  void activate(Ring ring, Writer writer) {
    states.set(ring.index(), writer.state(ACTIVE));
  }

  /** Gives up the writer's ring for the drain, or for whoever needs it more. */
  void seal(Ring ring, Writer writer) {
    int i = ring.index();
    long sealed = writer.sealed(sealings.incrementAndGet());
    while (true) {
      long state = states.get(i);
      int status = RingState.status(state) == COPIED ? SEALED_COPIED : SEALED;
      if (states.compareAndSet(i, state, RingState.withStatus(sealed, status))) {
        return;
      }
    }
  }

  /** Takes a sealed ring for the drain, the oldest of the writer whose turn it is. */
  @Nullable Taken takeOldest() {
    int i = order.take();
    return i < 0 ? null : new Taken(ring(i), RingState.lane(states.get(i)));
  }

  /** How many rings have been sealed so far. */
  long sealings() {
    return sealings.get();
  }

  /** The ring that a writer of a lane fills, or -1 if none does. */
  int inUse(Lane lane) {
    for (int i = 0; i < rings.length; i++) {
      long state = states.get(i);
      int status = RingState.status(state);
      if (status >= ACTIVE && status <= OWNED && RingState.lane(state) == lane) {
        return i;
      }
    }
    return -1;
  }

  /** The word of a ring. */
  long state(int i) {
    return states.get(i);
  }

  /**
   * Takes what is published out of a ring that is being written.
   *
   * @param taking takes it, and says how many events it took
   */
  Copy copy(int i, long state, ToIntFunction<Ring> taking) {
    int status = RingState.status(state);
    if (status == OWNED) {
      return Copy.BUSY;
    }
    if (status != ACTIVE || ring(i).events() == 0) {
      return Copy.NOTHING;
    }
    if (!states.compareAndSet(i, state, RingState.withStatus(state, COPIED))) {
      return Copy.BUSY;
    }
    try {
      // Sealed before this ring came into use, so it is seen by whoever has seen this one in use.
      if (hasSealed(RingState.lane(state), RingState.writer(state))) {
        return Copy.OLDER_FIRST;
      }
      return taking.applyAsInt(ring(i)) == 0 ? Copy.NOTHING : Copy.DONE;
    } finally {
      endCopy(i, state);
    }
  }

  private void endCopy(int i, long before) {
    if (!states.compareAndSet(i, RingState.withStatus(before, COPIED), before)) {
      states.set(i, RingState.withStatus(states.get(i), SEALED));
    }
  }

  /** Takes the ring of a writer whose thread has ended, for the drain. */
  Taken takeFromDead(Ring ring, Writer writer) {
    states.set(ring.index(), writer.state(DRAINING));
    return new Taken(ring, writer.lane());
  }

  /** Whether sealed rings of a writer wait. */
  boolean hasSealed(Lane lane, int writer) {
    return oldestOf(lane, writer) >= 0;
  }

  /** Empties a ring that the drain, or its writer, owns and puts it back. */
  void free(Ring ring) {
    ring.reset();
    states.set(ring.index(), RingState.of(FREE));
  }

  /** A look at the rings of a lane. */
  RingCounts counts(Lane home) {
    int first = sizing.first(home);
    RingCounts counts = new RingCounts();
    for (int i = first; i < first + sizing.rings(home); i++) {
      long state = states.get(i);
      counts.add(state);
    }
    return counts;
  }

  /**
   * Counts the events in rings, each ring once.
   *
   * @param inUse in rings that writers have in use
   * @param waiting in sealed rings
   * @param draining in rings that the drain has
   */
  public record Held(long inUse, long waiting, long draining) {}

  Held held() {
    long inUse = 0;
    long waiting = 0;
    long draining = 0;
    for (int i = 0; i < rings.length; i++) {
      Ring ring = rings[i];
      if (ring == null) {
        continue;
      }
      long state = states.get(i);
      int events = ring.events();
      if (RingState.status(state) == DRAINING) {
        draining += events;
      } else if (RingState.isWaiting(state)) {
        waiting += events;
      } else {
        inUse += events;
      }
    }
    return new Held(inUse, waiting, draining);
  }

  /** How many rings there are, with those that were refused. */
  int size() {
    return rings.length;
  }
}
