package outbox.dispatch;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How the delivery of an event ended. */
sealed interface Outcome {

  /** All listeners returned. */
  record Done() implements Outcome {}

  /** A listener failed; all are asked again after the delay. The table keeps the text alone. */
  record Retry(Duration delay, String error, Throwable cause) implements Outcome {}

  /** Given up; the cause is null where no listener threw. The table keeps the text alone. */
  record Dead(String error, @Nullable Throwable cause) implements Outcome {}

  /** Not delivered and no attempt burnt: another node, or this one later, takes it. */
  record GivenBack(Duration delay) implements Outcome {}

  /** Nobody here listens to its type. */
  record Unhandled(Duration delay) implements Outcome {}

  /** Whether the mark should not wait for company. */
  default boolean isUrgent() {
    return !(this instanceof Done);
  }
}
