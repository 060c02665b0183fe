package eventlog;

import holdfast.ledger.Reason;

/** Why an event was lost. */
public enum LossReason implements Reason {
  /** The main queue was full and spillover is switched off. */
  QUEUE_FULL("queue_full"),
  /** Every attempt failed and spillover is switched off. */
  RETRIES_EXHAUSTED("retries_exhausted"),
  /** It was to be tried again, but found no room to wait, and spillover is switched off. */
  RETRY_REQUEUE_FAILED("retry_requeue_failed"),
  /** It was to be tried again while the logger was closing, and spillover is switched off. */
  RETRY_EXECUTOR_REJECTED("retry_executor_rejected"),
  /** The logger was closing, or closed; or it waited in the main queue when time was up. */
  SHUTDOWN_IN_PROGRESS("shutdown_in_progress"),
  /** It waited to be tried again when the logger was closed, and spillover is switched off. */
  SHUTDOWN_PENDING_RETRY("shutdown_pending_retry"),
  /** More events were to be written to disk than could wait for it. */
  SPILLOVER_QUEUE_FULL("spillover_queue_full"),
  /** As many events as allowed were waiting on disk. */
  SPILLOVER_MAX_EVENTS("spillover_max_events"),
  /** The files on disk were as large as allowed. */
  SPILLOVER_MAX_SIZE("spillover_max_size"),
  /** The API refused it for what it is, and there is no quarantine since spillover is off. */
  REJECTED_BY_API("rejected_by_api"),
  /** The disk could not be written or read, and there was no room left to wait for it. */
  SPILLOVER_IO_ERROR("spillover_io_error"),
  /** As JSON it is longer than allowed. */
  ENTRY_TOO_LARGE("entry_too_large"),
  /** It cannot be written as JSON. */
  NOT_SERIALIZABLE("not_serializable"),
  /** It was to be set aside, but the quarantine is as large as allowed. */
  QUARANTINE_FULL("quarantine_full"),
  /** The breaker was open, spillover is off, and there was no room to wait in the queue. */
  CIRCUIT_OPEN("circuit_open"),
  /** The redaction failed, so nobody may see it. */
  REDACTION_FAILED("redaction_failed"),
  /** It was logged by the logger's own work: by its client or its callback. */
  LOGGED_BY_LOGGER("logged_by_logger");

  private final String code;

  LossReason(String code) {
    this.code = code;
  }

  @Override
  public String code() {
    return code;
  }
}
