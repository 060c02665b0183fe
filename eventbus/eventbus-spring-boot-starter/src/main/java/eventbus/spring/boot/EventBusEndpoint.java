package eventbus.spring.boot;

import eventbus.EventBus;
import eventbus.EventStatus;
import eventbus.LogFilter;
import eventbus.LoggedEvent;
import eventbus.WaitingEvent;
import eventbus.spring.boot.EventBusAnswers.FailedPage;
import eventbus.spring.boot.EventBusAnswers.Purged;
import eventbus.spring.boot.EventBusAnswers.Report;
import eventbus.spring.boot.EventBusAnswers.Republished;
import eventbus.spring.boot.EventBusAnswers.RepublishedOne;
import eventbus.spring.boot.EventBusAnswers.WaitingPage;
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

/**
 * The Actuator endpoint {@code eventbus}. Looking is allowed wherever it is exposed; to publish
 * again, to pause, to resume and to purge, only with {@code
 * management.endpoint.eventbus.access=unrestricted}. Safe for use by many threads.
 *
 * <pre>
 * GET    eventbus                          ledger, backlog by type, what is paused, this node
 * GET    eventbus/failed?type=…            failed events without payload, page by page
 * GET    eventbus/waiting?type=…           events that wait for their next attempt
 * POST   eventbus/pause                    the "type" for all nodes; * for all types
 * POST   eventbus/resume                   the same
 * POST   eventbus/republish                the failed events that match, as many as "limit"
 * POST   eventbus/republish/{id}           one event of the log, once
 * DELETE eventbus/completed?olderThan=7d   purges completed events, as many as "limit"
 * DELETE eventbus/failed?olderThan=30d     purges failed ones; the ledger shows them as lost
 * </pre>
 */
@Endpoint(id = "eventbus", defaultAccess = Access.READ_ONLY)
final class EventBusEndpoint {
  static final int DEFAULT_PAGE = 100;
  static final int MAX_PAGE = 1_000;
  static final int DEFAULT_REPUBLISH = 1_000;
  static final int MAX_REPUBLISH = 10_000;
  static final int DEFAULT_PURGE = 10_000;
  static final int MAX_PURGE = 100_000;
  private static final String FAILED = "failed";
  private static final String COMPLETED = "completed";
  private static final String WAITING = "waiting";
  private static final String REPUBLISH = "republish";
  private static final String PAUSE = "pause";
  private static final String RESUME = "resume";

  private final EventBus bus;
  private final EventBusReport report;

  EventBusEndpoint(EventBus bus, EventBusReport report) {
    this.bus = bus;
    this.report = report;
  }

  /** All numbers as they stand. */
  @ReadOperation
  public Report report() {
    return report.read();
  }

  /** A page of failed or waiting events, and how many match in all; null for another part. */
  @ReadOperation
  public @Nullable OperationResponseBody events(
      @Selector String part,
      @Nullable String type,
      @Nullable Instant finishedFrom,
      @Nullable Instant finishedBefore,
      @Nullable Integer limit,
      @Nullable Long after) {
    int most = EndpointRequests.limit(limit, DEFAULT_PAGE, MAX_PAGE);
    if (part.equals(WAITING)) {
      return waiting(type, most, after);
    }
    if (!part.equals(FAILED)) {
      return null;
    }
    LogFilter filter = failed(type, finishedFrom, finishedBefore);
    List<LoggedEvent> page =
        bus.log().list(filter, most, after == null ? null : line(after, "after"));
    Long next = page.size() < most ? null : (Long) page.get(page.size() - 1).id();
    return new FailedPage(bus.log().count(filter), page, next);
  }

  private WaitingPage waiting(@Nullable String type, int most, @Nullable Long after) {
    List<WaitingEvent> page = bus.waiting().list(type, most, after);
    Long next = page.size() < most ? null : (Long) page.get(page.size() - 1).id();
    return new WaitingPage(bus.waiting().count(type), page, next);
  }

  /** Makes new events of failed ones that match, up to a limit; or pauses or resumes. */
  @WriteOperation
  public OperationResponseBody act(
      @Selector String action,
      @Nullable String type,
      @Nullable Instant finishedFrom,
      @Nullable Instant finishedBefore,
      @Nullable Integer limit) {
    EndpointRequests.oneOf("the action", action, REPUBLISH, PAUSE, RESUME);
    if (action.equals(PAUSE)) {
      return PausedAnswer.pause(bus.control(), type);
    }
    if (action.equals(RESUME)) {
      return PausedAnswer.resume(bus.control(), type);
    }
    int most = EndpointRequests.limit(limit, DEFAULT_REPUBLISH, MAX_REPUBLISH);
    long made = bus.log().republishAll(failed(type, finishedFrom, finishedBefore), most);
    return new Republished(made, made < most);
  }

  /** Makes a new event of one in the log; asked twice, it makes one. */
  @WriteOperation
  public RepublishedOne republishOne(@Selector String action, @Selector long id) {
    EndpointRequests.oneOf("the action", action, REPUBLISH);
    boolean now = bus.log().republishOnce(id).isPresent();
    return new RepublishedOne(id, line(id, "id").republishedAs(), now);
  }

  /** Removes events from the log that were closed longer ago, up to a limit. */
  @DeleteOperation
  public Purged purge(
      @Selector String part, @Nullable Duration olderThan, @Nullable Integer limit) {
    EndpointRequests.oneOf("what is purged", part, COMPLETED, FAILED);
    Duration age = EndpointRequests.age("olderThan", olderThan);
    int most = EndpointRequests.limit(limit, DEFAULT_PURGE, MAX_PURGE);
    EventStatus status = part.equals(FAILED) ? EventStatus.FAILED : EventStatus.COMPLETED;
    long purged = bus.log().purge(status, age, most);
    return new Purged(purged, purged < most);
  }

  private static LogFilter failed(
      @Nullable String type, @Nullable Instant finishedFrom, @Nullable Instant finishedBefore) {
    return new LogFilter(EventStatus.FAILED, type, finishedFrom, finishedBefore);
  }

  private LoggedEvent line(long id, String what) {
    return bus.log()
        .find(id)
        .orElseThrow(
            () ->
                EndpointRequests.refused(
                    what + " must be an event of the log but " + id + " is not"));
  }
}
