package eventlog.spi;

import eventlog.LossReason;
import org.jspecify.annotations.Nullable;

/** An event that has no JSON form, or one that is too long. */
public final class UnwritableEntryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final LossReason reason;

  UnwritableEntryException(LossReason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** {@link LossReason#ENTRY_TOO_LARGE} or {@link LossReason#NOT_SERIALIZABLE}. */
  public LossReason reason() {
    return reason;
  }
}
