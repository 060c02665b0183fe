package tracer.lane;

import tracer.Lane;

/**
 * The state of a ring in one word: status, lane and writer of its events, and the number of its
 * sealing, by which a word never comes back. Stateless.
 *
 * <pre>
 * FREE ──► OWNED ──► ACTIVE ──► SEALED ──► DRAINING ──► FREE       full, drained, back in the pool
 *            ▲         │ ▲         └─────► OWNED                   taken back: its events are dropped
 *            └─────────┘ └► COPIED ─► SEALED_COPIED ─► SEALED      the drain copies what is published
 * </pre>
 */
final class RingState {
  /** In the pool. */
  static final int FREE = 0;

  /** Its writer appends; the drain may ask for a copy. */
  static final int ACTIVE = 1;

  /** Its writer appends while the drain copies what is published. */
  static final int COPIED = 2;

  /** Nobody but its writer may look. */
  static final int OWNED = 3;

  /** Full, or asked for; whoever takes it owns it. */
  static final int SEALED = 4;

  /** Sealed while the drain copies. */
  static final int SEALED_COPIED = 5;

  /** Nobody but the drain may look. */
  static final int DRAINING = 6;

  /** Has no memory. */
  static final int REFUSED = 7;

  private static final int LANE_SHIFT = 3;
  private static final int WRITER_SHIFT = 5;
  private static final int SEALING_SHIFT = 21;
  private static final int MOST_WRITERS = 1 << (SEALING_SHIFT - WRITER_SHIFT);
  private static final Lane[] LANES = Lane.values();

  private RingState() {}

  static long of(int status) {
    return status;
  }

  @SuppressWarnings("EnumOrdinal") // an index within this process, stored nowhere
  static long of(int status, Lane lane, int writer, long sealing) {
    return status
        | (long) lane.ordinal() << LANE_SHIFT
        | (long) writer << WRITER_SHIFT
        | sealing << SEALING_SHIFT;
  }

  static long withStatus(long state, int status) {
    return (state & -8L) | status;
  }

  static int status(long state) {
    return (int) state & 7;
  }

  static Lane lane(long state) {
    return LANES[(int) (state >>> LANE_SHIFT) & 3];
  }

  static int writer(long state) {
    return (int) (state >>> WRITER_SHIFT) & (MOST_WRITERS - 1);
  }

  static long sealing(long state) {
    return state >>> SEALING_SHIFT;
  }

  /** Whether its events are a lane's and it waits to be taken. */
  static boolean isSealed(long state, Lane lane) {
    return status(state) == SEALED && lane(state) == lane;
  }

  /** Whether a writer fills it, or has filled it and nobody has taken it yet. */
  static boolean hasWriter(long state) {
    return status(state) >= ACTIVE && status(state) <= SEALED_COPIED;
  }

  /** Whether it waits for the drain or is with it. */
  static boolean isWaiting(long state) {
    return status(state) >= SEALED && status(state) <= DRAINING;
  }
}
