package tour;

import static tracer.ArgumentType.LONG;

import eventlog.AsyncEventLogger;
import eventlog.EventLogEntry;
import eventlog.EventStatus;
import eventlog.EventType;
import tracer.IndexLane;
import tracer.TraceEvent;
import tracer.TraceSpan;
import tracer.Tracer;

/** Tells the Event Log API and the trace of each step of an order. Safe for use by many threads. */
final class Steps {
  static final TraceEvent PLACE = TraceEvent.named("order.place").arg("order", LONG);
  static final TraceEvent ANNOUNCE = TraceEvent.named("order.announce").arg("order", LONG);
  static final TraceEvent MAIL = TraceEvent.named("order.mail");
  static final TraceEvent PRICE = TraceEvent.named("order.price").arg("order", LONG);
  static final TraceEvent ASK = TraceEvent.named("order.ask");
  private static final TraceEvent ADD_UP = TraceEvent.named("order.add_up").arg("cents", LONG);
  private static final TraceEvent LINE = TraceEvent.named("order.line").arg("line", LONG);

  /** How many lines of an order the hot code goes through, each of them traced. */
  private static final int LINES = 200;

  private final AsyncEventLogger logger;
  private final Tracer tracer;

  Steps(AsyncEventLogger logger, Tracer tracer) {
    this.logger = logger;
    this.tracer = tracer;
  }

  /** The lane of the trace for what happens to orders. */
  IndexLane trace() {
    return tracer.index();
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
    IndexLane trace = tracer.index();
    try (TraceSpan span = trace.span(ADD_UP, cents)) {
      for (int line = 0; line < LINES; line++) {
        trace.record(LINE, line);
      }
      span.endFlow(order);
    }
  }
}
