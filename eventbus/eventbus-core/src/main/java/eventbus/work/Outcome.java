package eventbus.work;

import java.time.Duration;
import java.util.Set;

/** How the handling of an event ended. */
sealed interface Outcome {

  /** Every handler returned. */
  record Completed() implements Outcome {}

  /** Given up. */
  record Failed(String error, Throwable cause) implements Outcome {}

  /** A handler failed; those that are not done are asked again after the delay. */
  record Retry(Duration delay, String error, Throwable cause, Set<String> done)
      implements Outcome {}

  /** Not handled to the end, and no failure: another node, or this one later, takes it. */
  record GivenBack(Set<String> done) implements Outcome {
    static final GivenBack UNTOUCHED = new GivenBack(Set.of());
  }
}
