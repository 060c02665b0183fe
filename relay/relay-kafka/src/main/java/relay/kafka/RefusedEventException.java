package relay.kafka;

import org.jspecify.annotations.Nullable;
import outbox.NonRetryableException;

/** An event that can never be sent as it is, with the reason and the fix. */
final class RefusedEventException extends NonRetryableException {
  private static final long serialVersionUID = 1L;

  private final FailureReason reason;

  RefusedEventException(FailureReason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  FailureReason reason() {
    return reason;
  }
}
