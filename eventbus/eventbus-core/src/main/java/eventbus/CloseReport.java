package eventbus;

/**
 * What closing the bus left behind; all of it stays in the table and is handled by another pod, or
 * after a restart. Immutable.
 *
 * @param givenBack how many events were acquired, had not begun, and are back in the table
 * @param stillRunning how many handlers did not end in time; they were interrupted, and their
 *     claims are kept until they return
 * @param unwritten how many outcomes could not be written in time, of events to be given back too
 */
public record CloseReport(int givenBack, int stillRunning, int unwritten) {
  static final CloseReport NOTHING = new CloseReport(0, 0, 0);

  /** Whether everything was finished. */
  public boolean isClean() {
    return givenBack == 0 && stillRunning == 0 && unwritten == 0;
  }
}
