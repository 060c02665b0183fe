package tracer.lane;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import tracer.Lane;

/**
 * Which sealed ring the drain takes next: a critical one before all others; else writers have
 * turns, and give their oldest. Confined to the thread that drains.
 */
final class DrainOrder {
  /*
   * By age alone, threads that record in step would be served in the order in which they happen to
   * seal, the same each time: under overload the first would lose nothing and the last nearly all.
   *
   * Sealings are numbered, so the oldest ring of a writer is the one with the smallest number. A look
   * at all words is not one moment: a writer may seal ring 3 after the look has passed it and ring 7
   * before the look reaches it. The second look finds ring 3, since it was sealed before ring 7 was
   * seen sealed; so two looks that agree have found the oldest. They agree on the word and not only
   * on the ring: between a look and the taking the ring may have been taken back, filled and sealed
   * anew, and would be the newest then.
   */
  private final AtomicLongArray states;
  private long[] lastTurns = new long[16];
  private long turn;

  DrainOrder(AtomicLongArray states) {
    this.states = states;
  }

  /** Takes a ring for the drain; gives its number, or -1 if none is sealed. */
  int take() {
    long seen = 0;
    while (true) {
      int next = next();
      if (next < 0) {
        return -1;
      }
      long state = states.get(next);
      if (state == seen
          && RingState.status(state) == RingState.SEALED
          && states.compareAndSet(next, state, RingState.withStatus(state, RingState.DRAINING))) {
        hadItsTurn(RingState.writer(state));
        return next;
      }
      seen = state;
    }
  }

  private int next() {
    int found = -1;
    long best = 0;
    for (int i = 0; i < states.length(); i++) {
      long state = states.get(i);
      if (RingState.status(state) == RingState.SEALED && (found < 0 || comesBefore(state, best))) {
        found = i;
        best = state;
      }
    }
    return found;
  }

  private boolean comesBefore(long one, long other) {
    long difference = turnOf(one) - turnOf(other);
    return difference == 0 ? RingState.sealing(one) < RingState.sealing(other) : difference < 0;
  }

  private long turnOf(long state) {
    int writer = RingState.writer(state);
    if (RingState.lane(state) == Lane.CRITICAL) {
      return -1;
    }
    return writer < lastTurns.length ? lastTurns[writer] : 0;
  }

  private void hadItsTurn(int writer) {
    if (writer >= lastTurns.length) {
      lastTurns = Arrays.copyOf(lastTurns, 2 * writer);
    }
    lastTurns[writer] = ++turn;
  }
}
