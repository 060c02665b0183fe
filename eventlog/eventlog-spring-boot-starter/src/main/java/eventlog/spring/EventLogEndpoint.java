package eventlog.spring;

import eventlog.AsyncEventLogger;
import eventlog.spring.EventLogAnswers.Disk;
import eventlog.spring.EventLogAnswers.Queue;
import eventlog.spring.EventLogAnswers.Report;
import holdfast.spring.boot.LedgerAnswer;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * The Actuator endpoint {@code eventlog}: queue, breaker, disk, replay and ledger as they stand. No
 * event is shown, and nothing can be changed. Safe for use by many threads.
 */
@Endpoint(id = "eventlog", defaultAccess = Access.READ_ONLY)
final class EventLogEndpoint {
  private final AsyncEventLogger logger;

  EventLogEndpoint(AsyncEventLogger logger) {
    this.logger = logger;
  }

  /** All numbers as they stand. */
  @ReadOperation
  public Report report() {
    return new Report(
        new Queue(logger.queueDepth(), logger.queueCapacity()),
        logger.circuitState().name(),
        logger.spillover().map(Disk::of).orElse(null),
        logger.metrics(),
        LedgerAnswer.ofProcess(logger.ledger()));
  }
}
