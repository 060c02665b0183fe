package eventlog.spring;

import eventlog.AsyncEventLogger;
import eventlog.EventLogEntryBuilder;
import eventlog.EventStatus;
import eventlog.EventType;
import holdfast.time.TimeSource;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One call of a {@link LogEvent} method. Confined to the call, and then to who completes it. */
final class LoggedCall {
  private final LoggedMethod method;
  private final AsyncEventLogger logger;
  private final EventLogContext context;
  private final TimeSource time;
  private final EventLogContext.Scope scope;
  private final @Nullable String parentSpanId;
  private final EventLogContext.Held held;
  private final long startedAt;

  LoggedCall(
      LoggedMethod method, AsyncEventLogger logger, EventLogContext context, TimeSource time) {
    this.method = method;
    this.logger = logger;
    this.context = context;
    this.time = time;
    this.parentSpanId = context.parentSpanId();
    this.scope =
        new EventLogContext.Scope(
            context.correlationId(), context.traceId(), EventLogContext.newId(), process());
    this.startedAt = time.nanoTime();
    this.held = context.hold(scope);
  }

  private String process() {
    if (method.process() != null) {
      return method.process();
    }
    EventLogContext.Scope around = context.around();
    return method.isStep() && around != null ? around.processName() : method.otherwise();
  }

  void begun() {
    if (method.start()) {
      EventType type = method.isStep() ? EventType.STEP : EventType.PROCESS_START;
      log(event(type, EventStatus.IN_PROGRESS, "started").result("in progress"));
    }
  }

  /** Takes the ids away from the thread. */
  void leave() {
    held.close();
  }

  /** The method has returned; what it returned may still be under way. */
  void returned(@Nullable Object result, Consumer<Runnable> quietly) {
    if (result instanceof CompletionStage<?> stage) {
      // What is returned here is left alone: the caller's own stage is not to wait for us.
      stage.whenComplete((value, e) -> quietly.accept(() -> completed(e)));
    } else {
      succeeded();
    }
  }

  private void completed(@Nullable Throwable e) {
    if (e == null) {
      succeeded();
    } else {
      boolean wrapped = e instanceof CompletionException || e instanceof ExecutionException;
      Throwable cause = e.getCause();
      failed(wrapped && cause != null ? cause : e);
    }
  }

  private void succeeded() {
    EventType type = method.isStep() ? EventType.STEP : EventType.PROCESS_END;
    log(event(type, EventStatus.SUCCESS, "ended").result("success").executionTimeMs(millis()));
  }

  void failed(Throwable e) {
    log(
        event(EventType.ERROR, EventStatus.FAILURE, "failed")
            .result("failure")
            .executionTimeMs(millis())
            .errorCode(e.getClass().getName())
            .errorMessage(message(e)));
  }

  /** An exception whose message cannot be read is an error all the same. */
  private static @Nullable String message(Throwable e) {
    try {
      return e.getMessage();
    } catch (RuntimeException unreadable) {
      return null;
    }
  }

  private long millis() {
    return TimeUnit.NANOSECONDS.toMillis(time.nanoTime() - startedAt);
  }

  private EventLogEntryBuilder event(EventType type, EventStatus status, String what) {
    String name = method.step() == null ? scope.processName() : method.step();
    EventLogEntryBuilder event =
        context
            .entry(scope.correlationId(), scope.traceId())
            .processName(scope.processName())
            .stepName(method.step())
            .stepSequence(method.sequence())
            .spanId(scope.spanId())
            .parentSpanId(parentSpanId)
            .eventType(type)
            .eventStatus(status)
            .eventTimestamp(time.instant())
            .summary(method.summary() == null ? name + " " + what : method.summary());
    if (method.targetSystem() != null) {
      event.targetSystem(method.targetSystem());
    }
    if (method.originatingSystem() != null) {
      event.originatingSystem(method.originatingSystem());
    }
    return event;
  }

  private void log(EventLogEntryBuilder event) {
    logger.log(event.build());
  }
}
