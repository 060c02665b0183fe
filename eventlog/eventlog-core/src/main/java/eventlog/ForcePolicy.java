package eventlog;

/** When what was written to the spillover file is forced to the disk. */
public enum ForcePolicy {
  /** The system decides: survives the end of the process, not a loss of power. */
  NEVER,
  /** At most so long after it was written as {@code forceInterval} says. */
  INTERVAL,
  /** After every batch that the spill writer appends. */
  EACH_BATCH
}
