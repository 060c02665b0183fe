package tour;

import eventlog.AsyncEventLogger;
import eventlog.EventLogEntry;
import eventlog.EventStatus;
import eventlog.EventType;
import tracer.TraceEvent;
import tracer.Tracer;

/** Tells the Event Log API and the trace of each step of an order. Safe for use by many threads. */
final class Steps {
  private static final TraceEvent LINE = TraceEvent.named("order.line");

  /** How many lines of an order the hot code goes through, each of them traced. */
  private static final int LINES = 200;

  private final AsyncEventLogger logger;
  private final Tracer tracer;

  Steps(AsyncEventLogger logger, Tracer tracer) {
    this.logger = logger;
    this.tracer = tracer;
  }

  /** Notes a step. */
  void done(String step, long order, String result) {
    logger.log(
        EventLogEntry.builder()
            .correlationId("order-" + order)
            .traceId("%032x".formatted(order))
            .applicationId("shop")
            .targetSystem("shop")
            .originatingSystem("tour")
            .processName("PlaceOrder")
            .stepName(step)
            .eventType(EventType.STEP)
            .eventStatus(EventStatus.SUCCESS)
            .summary(step)
            .result(result)
            .build());
  }

  /** The hot code: goes through the lines of an order. */
  void addUp(long order, long cents) {
    for (int line = 0; line < LINES; line++) {
      tracer.index().record(LINE, order, line, cents);
    }
  }
}
