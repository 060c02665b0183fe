package eventbus.spring.boot;

import eventbus.Backlog;
import eventbus.Counts;
import eventbus.LoggedEvent;
import eventbus.WaitingEvent;
import holdfast.spring.boot.LedgerAnswer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** What the endpoint answers; Actuator writes it as JSON and leaves out what is null. */
final class EventBusAnswers {

  private EventBusAnswers() {}

  /**
   * All numbers.
   *
   * @param ledger the ledger of all nodes together; null if it cannot be read
   * @param backlog what is to be worked on; null if it cannot be read
   * @param lag how long what is due and handled here has waited; null if unknown
   * @param paused types that no node handles, since when; null if none is, or it is unknown
   * @param problem why the tables cannot be read, with how to fix it; null if they can
   * @param node this node's own numbers
   */
  record Report(
      @Nullable LedgerAnswer ledger,
      @Nullable Waiting backlog,
      @Nullable String lag,
      @Nullable Map<String, Instant> paused,
      @Nullable String problem,
      NodeNumbers node)
      implements OperationResponseBody {}

  /**
   * What is to be worked on.
   *
   * @param depth how many events
   * @param due how many could be acquired now
   * @param unhandled how many wait that this node has no handler for
   * @param oldest how long ago the oldest was published
   * @param types the same by type
   */
  record Waiting(long depth, long due, long unhandled, String oldest, List<WaitingOfType> types) {

    static Waiting of(Backlog backlog) {
      return new Waiting(
          backlog.depth(),
          backlog.due(),
          backlog.unhandled(),
          backlog.oldest().toString(),
          backlog.types().stream().map(WaitingOfType::of).toList());
    }
  }

  /** What is to be worked on of one type; see {@link Backlog.OfType}. */
  record WaitingOfType(
      String type, long pending, long processing, long due, String oldest, boolean handled) {

    static WaitingOfType of(Backlog.OfType one) {
      return new WaitingOfType(
          one.type(),
          one.pending(),
          one.processing(),
          one.due(),
          one.oldest().toString(),
          one.handled());
    }
  }

  /**
   * This node's numbers since it was started.
   *
   * @param inFlight events its workers have
   * @param counts what it did
   * @param types the types it handles
   */
  record NodeNumbers(int inFlight, Counts counts, Set<String> types) {}

  /**
   * A page of failed events.
   *
   * @param count how many match in all
   * @param events those of this page, latest first
   * @param next what to ask for as {@code after} next; null on the last page
   */
  record FailedPage(long count, List<LoggedEvent> events, @Nullable Long next)
      implements OperationResponseBody {}

  /**
   * A page of events that wait for their next attempt.
   *
   * @param count how many match in all
   * @param events those of this page
   * @param next what to ask for as {@code after} next; null on the last page
   */
  record WaitingPage(long count, List<WaitingEvent> events, @Nullable Long next)
      implements OperationResponseBody {}

  /**
   * What publishing one again did.
   *
   * @param id the event in the log
   * @param republishedAs the event made from it, now or before
   * @param now whether it was made now
   */
  record RepublishedOne(long id, @Nullable Long republishedAs, boolean now)
      implements OperationResponseBody {}

  /**
   * What publishing again did.
   *
   * @param republished how many new events there are
   * @param complete whether nothing is left that matches and was not published again; if not, ask
   *     once more
   */
  record Republished(long republished, boolean complete) implements OperationResponseBody {}

  /**
   * What a purge did.
   *
   * @param purged how many lines are gone
   * @param complete whether nothing is left that is old enough; if not, ask once more
   */
  record Purged(long purged, boolean complete) implements OperationResponseBody {}
}
