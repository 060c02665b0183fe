package eventlog.spi;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the API made of one request. Immutable.
 *
 * @param kind how it is to be understood
 * @param failures the events of a delivered request that were not stored after all
 * @param problem what went wrong, for people; empty if nothing did
 * @param retryAfter how long the API wants to be left alone, if it said so
 * @param refused how many events of a delivered request were refused for good, where the API does
 *     not say which
 */
public record Answer(
    Kind kind, List<Failure> failures, String problem, @Nullable Duration retryAfter, int refused) {

  /** How an answer is to be understood. */
  public enum Kind {
    /** The request was taken; each event but those among the failures is stored. */
    DELIVERED,
    /** The request failed for now: the same request may succeed later. */
    LATER,
    /**
     * The destination is wrong, as after 401 or 404: no request will succeed until it is mended.
     */
    BROKEN,
    /** The content was refused, as after 400: at least one of the events will never be taken. */
    REJECTED
  }

  /**
   * One event that was not stored.
   *
   * @param index its place in the request, from 0
   * @param error why, for people
   */
  public record Failure(int index, String error) {}

  private static final Answer DELIVERED = new Answer(Kind.DELIVERED, List.of(), "", null, 0);

  /**
   * Returns whether the API has stored at least one event.
   *
   * @param sent how many events the request had
   */
  public boolean hasTakenSomeOf(int sent) {
    return kind == Kind.DELIVERED && failures.size() + refused < sent;
  }

  /** Copies the failures. */
  public Answer {
    Objects.requireNonNull(kind, "kind");
    failures = List.copyOf(failures);
  }

  /** Every event is stored. */
  public static Answer delivered() {
    return DELIVERED;
  }

  /**
   * Every event is stored, except some.
   *
   * @param failures those that are not; they are sent again, the others are not
   * @return the answer
   */
  public static Answer partly(List<Failure> failures) {
    return new Answer(Kind.DELIVERED, failures, "", null, 0);
  }

  /**
   * Some events are stored and some are refused for good, and the API does not say which. None of
   * them is sent again. The refused ones are counted as lost; if all are, they are set aside.
   *
   * @param refused how many are refused
   * @param problem why, for people
   * @return the answer
   */
  public static Answer partlyRefused(int refused, String problem) {
    return new Answer(Kind.DELIVERED, List.of(), problem, null, refused);
  }

  /**
   * The request failed for now.
   *
   * @param problem why, for people
   * @param retryAfter how long to wait at least, if the API said so
   * @return the answer
   */
  public static Answer later(String problem, @Nullable Duration retryAfter) {
    return new Answer(Kind.LATER, List.of(), problem, retryAfter, 0);
  }

  /**
   * No request will succeed until somebody mends the destination.
   *
   * @param problem why, for people
   * @return the answer
   */
  public static Answer broken(String problem) {
    return new Answer(Kind.BROKEN, List.of(), problem, null, 0);
  }

  /**
   * At least one of the events will never be taken.
   *
   * @param problem why, for people
   * @return the answer
   */
  public static Answer rejected(String problem) {
    return new Answer(Kind.REJECTED, List.of(), problem, null, 0);
  }
}
