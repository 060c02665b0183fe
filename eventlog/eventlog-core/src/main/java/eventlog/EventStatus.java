package eventlog;

/** How it went. */
public enum EventStatus {
  /** As it should. */
  SUCCESS,
  /** Not as it should. */
  FAILURE,
  /** It is not over yet. */
  IN_PROGRESS,
  /** It was left out. */
  SKIPPED,
  /** As it should, with a remark. */
  WARNING
}
