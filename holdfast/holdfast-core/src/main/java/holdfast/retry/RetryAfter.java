package holdfast.retry;

import java.time.Duration;

/** An exception by which a handler chooses how long to wait before it is called again. */
public interface RetryAfter {

  /** Returns how long to wait. */
  Duration delay();
}
