package eventbus.table;

import eventbus.Claim;
import eventbus.EventStatus;
import org.jspecify.annotations.Nullable;

/**
 * How an event is to be closed, and by whom. Immutable.
 *
 * @param id the event
 * @param token the token of the claim
 * @param attempts the number of the acquisition; tells a repeated word from a late one
 * @param status COMPLETED or FAILED
 * @param error why it failed, if somebody said why
 */
public record Finish(
    long id, long token, int attempts, EventStatus status, @Nullable String error) {

  /** The end of a claimed event. */
  public static Finish of(Claim claim, EventStatus status, @Nullable String error) {
    return new Finish(claim.id(), claim.token(), claim.attempts(), status, error);
  }
}
