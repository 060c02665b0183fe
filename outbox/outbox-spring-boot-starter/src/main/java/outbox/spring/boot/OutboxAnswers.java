package outbox.spring.boot;

import holdfast.spring.boot.LedgerAnswer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import outbox.jdbc.DeadEvent;
import outbox.jdbc.WaitingEvent;

/** What the endpoint answers; Actuator writes it as JSON and leaves out what is null. */
final class OutboxAnswers {

  private OutboxAnswers() {}

  /**
   * All numbers.
   *
   * @param ledger the ledger of all nodes together; null if it cannot be read
   * @param backlogAge how long the oldest overdue event has waited; null if unknown
   * @param paused types that no node delivers, since when; null if none is, or it is unknown
   * @param problem why the table cannot be read, with how to fix it; null if it can
   * @param node this node's own numbers
   */
  record Report(
      @Nullable LedgerAnswer ledger,
      @Nullable String backlogAge,
      @Nullable Map<String, Instant> paused,
      @Nullable String problem,
      NodeNumbers node)
      implements OperationResponseBody {}

  /**
   * This node's numbers since it was started; counts are null where the application has its own.
   *
   * @param inFlight events queued, running or awaiting their mark
   * @param queues events waiting for a worker
   * @param oldestLag how long the oldest event that the last poll found has been due
   * @param counts by the name of the meter
   * @param types the types somebody listens to here
   */
  record NodeNumbers(
      int inFlight,
      Queues queues,
      @Nullable String oldestLag,
      @Nullable Map<String, Long> counts,
      List<String> types) {}

  /**
   * Events waiting for a worker.
   *
   * @param hot those just committed
   * @param cold those found in the table
   */
  record Queues(int hot, int cold) {}

  /**
   * A page of dead events.
   *
   * @param count how many match in all
   * @param events those of this page
   * @param next what to ask for as {@code after} next; null on the last page
   */
  record DeadPage(long count, List<DeadEvent> events, @Nullable String next)
      implements OperationResponseBody {}

  /**
   * A page of events that wait for their next attempt.
   *
   * @param count how many match in all
   * @param events those of this page
   * @param next what to ask for as {@code after} next; null on the last page
   */
  record WaitingPage(long count, List<WaitingEvent> events, @Nullable String next)
      implements OperationResponseBody {}

  /**
   * What a redeliver did.
   *
   * @param redelivered how many are back in delivery
   * @param dead how many that were meant are dead now
   */
  record Redelivered(long redelivered, long dead) implements OperationResponseBody {}

  /**
   * What a purge did.
   *
   * @param purged how many are gone
   */
  record Purged(long purged) implements OperationResponseBody {}
}
