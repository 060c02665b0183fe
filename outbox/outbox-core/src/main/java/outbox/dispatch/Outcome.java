package outbox.dispatch;

import java.time.Duration;

/** How the delivery of an event ended. */
sealed interface Outcome {

  /** All listeners returned. */
  record Done() implements Outcome {}

  /** A listener failed; all are asked again after the delay. */
  record Retry(Duration delay, String error) implements Outcome {}

  /** Given up. */
  record Dead(String error) implements Outcome {}

  /** Not delivered and no attempt burnt: another node, or this one later, takes it. */
  record GivenBack(Duration delay) implements Outcome {}

  /** Nobody here listens to its type. */
  record Unhandled(Duration delay) implements Outcome {}

  /** Whether the mark should not wait for company. */
  default boolean isUrgent() {
    return !(this instanceof Done);
  }
}
