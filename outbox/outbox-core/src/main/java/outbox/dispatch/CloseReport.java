package outbox.dispatch;

/**
 * What closing a dispatcher left behind; all of it stays in the table and is delivered by another
 * node or after a restart. Immutable.
 *
 * @param givenBack how many events waited in queues and are back in the table, due at once
 * @param stillRunning how many listeners did not end in time; they were interrupted, and are
 *     renewed and marked until they return
 * @param unmarked how many outcomes could not be written in time, give-backs among them; what stays
 *     unwritten is due when its lease ends
 */
public record CloseReport(int givenBack, int stillRunning, int unmarked) {

  /** Whether everything was finished. */
  public boolean isClean() {
    return givenBack == 0 && stillRunning == 0 && unmarked == 0;
  }
}
