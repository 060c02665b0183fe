package tracer.lane;

/** How many rings of a lane are where. Confined to one look. */
final class RingCounts {
  private int free;
  private int waiting;
  private int inUse;
  private int refused;

  void add(long state) {
    int status = RingState.status(state);
    if (status == RingState.FREE) {
      free++;
    } else if (status == RingState.REFUSED) {
      refused++;
    } else if (RingState.isWaiting(state)) {
      waiting++;
    } else {
      inUse++;
    }
  }

  int free() {
    return free;
  }

  int inUse() {
    return inUse;
  }

  int refused() {
    return refused;
  }

  /** How many of a hundred rings that no writer has in use wait to be drained. */
  int fill() {
    int outside = free + waiting;
    return outside == 0 ? 0 : waiting * 100 / outside;
  }
}
