package holdfast.verification.model;

/** What is asked of the protocol. */
enum Property {
  /** A committed event ends DONE or DEAD, and DEAD by failures only after maxAttempts of them. */
  EVERY_EVENT_ENDS,
  /** An event that was rolled back is never delivered. */
  NOTHING_ROLLED_BACK,
  /** Without faults nothing is delivered twice. */
  NO_DUPLICATES,
  /** A statement changes only rows that its node owns. */
  ONLY_OWN_ROWS,
  /** An event that neither fails nor kills is not DEAD. */
  INNOCENT_NEVER_DEAD,
  /** An event that kills its JVM is DEAD after a known number of kills. */
  KILLS_ARE_BOUNDED,
  /** First deliveries of an aggregate come in the order of commits, one at a time. */
  IN_ORDER,
  /** A node that was closed in peace leaves no lease behind. */
  CLEAN_CLOSE;

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
  Violation violated(String how, Object... values) {
    return new Violation(this, how.formatted(values));
  }
}
