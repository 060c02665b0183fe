package eventlog.spring;

import eventlog.EventLogEntry;
import eventlog.EventLogEntryBuilder;
import holdfast.id.UlidGenerator;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * What an event can know from where it is logged: the application, its systems, and the ids that
 * the MDC and the {@link LogEvent} methods around have for the thread. Safe for use by many
 * threads.
 *
 * <pre>{@code
 * logger.log(context.event()
 *     .processName("PlaceOrder").eventType(EventType.STEP).eventStatus(EventStatus.SUCCESS)
 *     .summary("Stock reserved").result("3 items")
 *     .build());
 * }</pre>
 */
public final class EventLogContext {
  private static final ThreadLocal<@Nullable Scope> SCOPES = new ThreadLocal<>();

  private final String applicationId;
  private final String targetSystem;
  private final String originatingSystem;
  private final String correlationKey;
  private final String traceKey;
  private final String spanKey;

  /** What holds while a method runs: the ids, and the process and the span it is. */
  record Scope(String correlationId, String traceId, String spanId, String processName) {}

  EventLogContext(EventLogProperties properties, @Nullable String applicationName) {
    this.applicationId =
        given(properties.getApplicationId(), given(applicationName, "application"));
    this.targetSystem = given(properties.getTargetSystem(), applicationId);
    this.originatingSystem = given(properties.getOriginatingSystem(), applicationId);
    this.correlationKey = properties.getMdc().getCorrelationId();
    this.traceKey = properties.getMdc().getTraceId();
    this.spanKey = properties.getMdc().getSpanId();
  }

  /** Starts an event with everything set that is known here; all of it can be set anew. */
  public EventLogEntryBuilder event() {
    Scope around = SCOPES.get();
    return entry(correlationId(), traceId())
        .processName(around == null ? null : around.processName)
        .parentSpanId(parentSpanId());
  }

  EventLogEntryBuilder entry(String correlationId, String traceId) {
    return EventLogEntry.builder()
        .correlationId(correlationId)
        .traceId(traceId)
        .applicationId(applicationId)
        .targetSystem(targetSystem)
        .originatingSystem(originatingSystem);
  }

  String correlationId() {
    Scope around = SCOPES.get();
    String fallback = around == null ? UlidGenerator.shared().next() : around.correlationId;
    return given(MDC.get(correlationKey), fallback);
  }

  String traceId() {
    Scope around = SCOPES.get();
    return given(MDC.get(traceKey), around == null ? newId() + newId() : around.traceId);
  }

  /** The span around: that of a method that is logged, or the one that tracing has told the MDC. */
  @Nullable String parentSpanId() {
    Scope around = SCOPES.get();
    return around == null ? MDC.get(spanKey) : around.spanId;
  }

  @Nullable Scope around() {
    return SCOPES.get();
  }

  static String newId() {
    String hex = Long.toHexString(ThreadLocalRandom.current().nextLong());
    return "0".repeat(16 - hex.length()) + hex;
  }

  /** Lets the ids hold for this thread until what is returned is closed. */
  Held hold(Scope scope) {
    return new Held(scope);
  }

  /** Ids that hold for a thread. Confined to that thread. */
  final class Held implements AutoCloseable {
    private final @Nullable Scope before = SCOPES.get();
    private final boolean correlationWasMissing = isMissing(correlationKey);
    private final boolean traceWasMissing = isMissing(traceKey);

    private Held(Scope scope) {
      SCOPES.set(scope);
      if (correlationWasMissing) {
        MDC.put(correlationKey, scope.correlationId);
      }
      if (traceWasMissing) {
        MDC.put(traceKey, scope.traceId);
      }
    }

    @Override
    public void close() {
      if (before == null) {
        SCOPES.remove();
      } else {
        SCOPES.set(before);
      }
      if (correlationWasMissing) {
        MDC.remove(correlationKey);
      }
      if (traceWasMissing) {
        MDC.remove(traceKey);
      }
    }
  }

  private static boolean isMissing(String key) {
    String value = MDC.get(key);
    return value == null || value.isBlank();
  }

  private static String given(@Nullable String value, String otherwise) {
    return value == null || value.isBlank() ? otherwise : value;
  }
}
