package eventlog;

import holdfast.ledger.Reason;

/** Why an event was lost. */
public enum LossReason implements Reason {
  /** The main queue was full and spillover is switched off. */
  QUEUE_FULL("queue_full", "set spilloverPath, or raise queueCapacity and maxQueueBytes"),
  /** Every attempt failed and spillover is switched off. */
  RETRIES_EXHAUSTED("retries_exhausted", Fix.DISK),
  /** It was to be tried again, but found no room to wait, and spillover is switched off. */
  RETRY_REQUEUE_FAILED("retry_requeue_failed", Fix.DISK),
  /** It was to be tried again while the logger was closing, and spillover is switched off. */
  RETRY_EXECUTOR_REJECTED("retry_executor_rejected", Fix.DISK),
  /** The logger was closing, or closed; or it waited in the main queue when time was up. */
  SHUTDOWN_IN_PROGRESS(
      "shutdown_in_progress",
      "log before close(), and set spilloverPath for events that the API does not take in time"),
  /** It waited to be tried again when the logger was closed, and spillover is switched off. */
  SHUTDOWN_PENDING_RETRY("shutdown_pending_retry", Fix.DISK),
  /** More events were to be written to disk than could wait for it. */
  SPILLOVER_QUEUE_FULL(
      "spillover_queue_full", "use a faster disk, or raise queueCapacity and maxQueueBytes"),
  /** As many events as allowed were waiting on disk. */
  SPILLOVER_MAX_EVENTS("spillover_max_events", "raise maxSpilloverEvents"),
  /** The files on disk were as large as allowed. */
  SPILLOVER_MAX_SIZE("spillover_max_size", "raise maxSpilloverSizeBytes"),
  /** The API refused it for what it is, and there is no quarantine since spillover is off. */
  REJECTED_BY_API(
      "rejected_by_api",
      "correct the entry; with spilloverPath such events are kept in quarantine"),
  /** The disk could not be written or read, and there was no room left to wait for it. */
  SPILLOVER_IO_ERROR(
      "spillover_io_error", "make the spill directory writable, and free space on its disk"),
  /** As JSON it is longer than allowed. */
  ENTRY_TOO_LARGE("entry_too_large", "shorten the entry, or raise maxEntryBytes"),
  /** It cannot be written as JSON. */
  NOT_SERIALIZABLE(
      "not_serializable",
      "put texts, numbers, booleans, lists and maps into identifiers and metadata"),
  /** It was to be set aside, but the quarantine is as large as allowed. */
  QUARANTINE_FULL("quarantine_full", "empty the quarantine, or raise maxQuarantineSizeBytes"),
  /** The breaker was open, spillover is off, and there was no room to wait in the queue. */
  CIRCUIT_OPEN("circuit_open", Fix.DISK),
  /** The redaction failed, so nobody may see it. */
  REDACTION_FAILED("redaction_failed", "correct the redaction that throws"),
  /** It was logged by the logger's own work: by its client or its callback. */
  LOGGED_BY_LOGGER("logged_by_logger", "log no events in the client or the callback");

  private final String code;
  private final String fix;

  LossReason(String code, String fix) {
    this.code = code;
    this.fix = fix;
  }

  /** Returns how to lose no more events for this reason, as the log says it. */
  public String fix() {
    return fix;
  }

  @Override
  public String code() {
    return code;
  }

  private static final class Fix {
    static final String DISK = "set spilloverPath, so that events wait on disk";
  }
}
