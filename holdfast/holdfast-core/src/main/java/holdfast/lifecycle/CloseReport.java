package holdfast.lifecycle;

/**
 * What closing a library left behind. What is in a table or on disk is delivered by another node or
 * after a restart. Immutable.
 *
 * @param released how many events were taken but not handled: not begun, or their listener was
 *     interrupted; they are back in the table, due at once
 * @param stillRunning how many listeners, handlers, calls or threads have not ended, although they
 *     were interrupted
 * @param unwritten how many outcomes, answers or events could not be written in time
 */
public record CloseReport(long released, long stillRunning, long unwritten) {
  /** Nothing was left behind. */
  public static final CloseReport CLEAN = new CloseReport(0, 0, 0);

  /** Returns whether nothing was left behind. */
  public boolean isClean() {
    return equals(CLEAN);
  }
}
