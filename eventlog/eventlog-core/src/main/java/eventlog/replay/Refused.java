package eventlog.replay;

import eventlog.EventLogEntry;
import eventlog.LossReason;

/**
 * An event that the API will never take, to be set aside. Immutable.
 *
 * @param entry the event
 * @param reason the code of the reason, as the quarantine has it
 * @param problem why, for people
 */
record Refused(EventLogEntry entry, String reason, String problem) {
  private static final String FAILED_ALONE = "failed_alone";

  /** An event that the API refuses for what it is. */
  static Refused byApi(EventLogEntry entry, String problem) {
    return new Refused(entry, LossReason.REJECTED_BY_API.code(), problem);
  }

  /** An event that makes the API fail, while it accepts others. */
  static Refused failedAlone(EventLogEntry entry, String problem) {
    return new Refused(entry, FAILED_ALONE, problem);
  }
}
