package outbox.spring.boot;

import holdfast.spring.boot.EndpointRequests;
import holdfast.spring.boot.PausedAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import outbox.jdbc.DeadEvent;
import outbox.jdbc.DeadEvents;
import outbox.jdbc.DeadFilter;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.WaitingEvent;
import outbox.spring.boot.OutboxAnswers.DeadPage;
import outbox.spring.boot.OutboxAnswers.Purged;
import outbox.spring.boot.OutboxAnswers.Redelivered;
import outbox.spring.boot.OutboxAnswers.Report;
import outbox.spring.boot.OutboxAnswers.WaitingPage;

/**
 * The Actuator endpoint {@code outbox}. Looking is allowed wherever it is exposed; redeliver,
 * pause, resume and purge only with {@code management.endpoint.outbox.access=unrestricted}. Safe
 * for use by many threads.
 *
 * <pre>
 * GET    outbox                       ledger, backlog, what is paused, this node's numbers
 * GET    outbox/dead?type=…           dead events without payload, page by page
 * GET    outbox/waiting?type=…        events that wait for their next attempt, page by page
 * POST   outbox/pause                 the "type" for all nodes; * for all types
 * POST   outbox/resume                the same
 * POST   outbox/redeliver                the dead events that match, as many as "limit"
 * POST   outbox/redeliver/{eventId}      one dead event
 * DELETE outbox/done?olderThan=7d     purges DONE rows
 * DELETE outbox/dead?olderThan=30d    purges dead ones; the ledger shows them as lost
 * </pre>
 */
@Endpoint(id = "outbox", defaultAccess = Access.READ_ONLY)
final class OutboxEndpoint {
  static final int DEFAULT_PAGE = 100;
  static final int MAX_REDELIVER = 10_000;
  static final int DEFAULT_REDELIVER = 1_000;
  private static final String DEAD = "dead";
  private static final String DONE = "done";
  private static final String WAITING = "waiting";
  private static final String REDELIVER = "redeliver";
  private static final String PAUSE = "pause";
  private static final String RESUME = "resume";

  private final JdbcOutbox outbox;
  private final OutboxReport report;

  OutboxEndpoint(JdbcOutbox outbox, OutboxReport report) {
    this.outbox = outbox;
    this.report = report;
  }

  /** All numbers as they stand. */
  @ReadOperation
  public Report report() {
    return report.read();
  }

  /** A page of dead or waiting events, and how many there are; null for another part. */
  @ReadOperation
  public @Nullable OperationResponseBody events(
      @Selector String part,
      @Nullable String type,
      @Nullable String tenant,
      @Nullable String aggregateType,
      @Nullable String aggregateId,
      @Nullable Instant diedFrom,
      @Nullable Instant diedBefore,
      @Nullable Integer limit,
      @Nullable String after) {
    int most = EndpointRequests.limit(limit, DEFAULT_PAGE, DeadEvents.MAX_PAGE);
    if (part.equals(WAITING)) {
      return waiting(type, most, after);
    }
    if (!part.equals(DEAD)) {
      return null;
    }
    DeadFilter filter =
        new DeadFilter(type, tenant, aggregateType, aggregateId, diedFrom, diedBefore);
    List<DeadEvent> page = outbox.deadEvents().list(filter, most, after);
    String next = page.size() < most ? null : page.get(page.size() - 1).eventId();
    return new DeadPage(outbox.deadEvents().count(filter), page, next);
  }

  private WaitingPage waiting(@Nullable String type, int most, @Nullable String after) {
    List<WaitingEvent> page = outbox.waiting().list(type, most, after);
    String next = page.size() < most ? null : page.get(page.size() - 1).eventId();
    return new WaitingPage(outbox.waiting().count(type), page, next);
  }

  /** Brings dead events that match back into delivery, up to a limit; or pauses or resumes. */
  @WriteOperation
  public OperationResponseBody act(
      @Selector String action,
      @Nullable String type,
      @Nullable String tenant,
      @Nullable String aggregateType,
      @Nullable String aggregateId,
      @Nullable Instant diedFrom,
      @Nullable Instant diedBefore,
      @Nullable Integer limit) {
    EndpointRequests.oneOf("the action", action, REDELIVER, PAUSE, RESUME);
    if (action.equals(PAUSE)) {
      return PausedAnswer.pause(outbox.control(), type);
    }
    if (action.equals(RESUME)) {
      return PausedAnswer.resume(outbox.control(), type);
    }
    DeadFilter filter =
        new DeadFilter(type, tenant, aggregateType, aggregateId, diedFrom, diedBefore);
    int most = EndpointRequests.limit(limit, DEFAULT_REDELIVER, MAX_REDELIVER);
    long redelivered = outbox.deadEvents().redeliverAll(filter, most);
    return new Redelivered(redelivered, outbox.deadEvents().count(filter));
  }

  /** Brings one event back into delivery if it is dead. */
  @WriteOperation
  public Redelivered redeliverOne(@Selector String action, @Selector String eventId) {
    EndpointRequests.oneOf("the action", action, REDELIVER);
    long redelivered = outbox.deadEvents().redeliver(eventId) ? 1 : 0;
    return new Redelivered(redelivered, outbox.deadEvents().count());
  }

  /** Removes events that were finished longer ago. */
  @DeleteOperation
  public Purged purge(@Selector String part, @Nullable Duration olderThan) {
    EndpointRequests.oneOf("what is purged", part, DONE, DEAD);
    Duration age = EndpointRequests.age("olderThan", olderThan);
    return new Purged(part.equals(DONE) ? outbox.purge(age) : outbox.purgeDead(age));
  }
}
