package failover;

import java.time.Duration;

/** The source did not answer within the point's hard timeout; it was interrupted. */
public final class SourceTimeoutException extends FailoverException {
  private static final long serialVersionUID = 1;

  /** The point, and how long it waited. */
  public SourceTimeoutException(String name, Duration timeout) {
    super(
        name,
        "the source of failover '%s' must answer within %s but did not".formatted(name, timeout),
        null);
  }
}
