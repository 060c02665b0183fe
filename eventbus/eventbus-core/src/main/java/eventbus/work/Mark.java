package eventbus.work;

/**
 * An outcome still to be written into the table. Immutable.
 *
 * @param delivery the event
 * @param outcome how it ended
 * @param handlingNanos how long its handlers took
 */
record Mark(Delivery delivery, Outcome outcome, long handlingNanos) {

  static Mark givenBack(Delivery delivery) {
    return new Mark(delivery, Outcome.GivenBack.UNTOUCHED, 0);
  }

  /** Whether it is written at once: failures, and suspects, of which there is one at a time. */
  boolean isUrgent() {
    return !(outcome instanceof Outcome.Completed) || delivery.isSuspect();
  }
}
