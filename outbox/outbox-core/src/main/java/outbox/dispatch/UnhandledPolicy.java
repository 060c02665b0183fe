package outbox.dispatch;

import holdfast.problems.Problems;
import java.time.Duration;

/**
 * What happens to an event for whose type nobody listens on this node. Immutable.
 *
 * @param delay how long it is released for, since another node may know its type
 * @param deadAfter how long no node may have known its type before it is dead
 * @param done whether to mark it DONE instead, at once
 */
public record UnhandledPolicy(Duration delay, Duration deadAfter, boolean done) {

  /** Released for 30 seconds, dead after an hour. */
  public static final UnhandledPolicy DEFAULT =
      new UnhandledPolicy(Duration.ofSeconds(30), Duration.ofHours(1), false);

  /** Done at once: for applications that publish what they may have no listener for. */
  public static final UnhandledPolicy DONE =
      new UnhandledPolicy(Duration.ZERO, Duration.ZERO, true);

  /** Checks that the times are zero or more. */
  public UnhandledPolicy {
    new Problems("UnhandledPolicy")
        .requireZeroOrMore("delay", delay)
        .requireZeroOrMore("deadAfter", deadAfter)
        .throwIfAny();
  }
}
