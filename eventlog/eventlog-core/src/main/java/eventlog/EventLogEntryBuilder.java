package eventlog;

import holdfast.id.UlidGenerator;
import holdfast.time.TimeSource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The fields of an {@link EventLogEntry} in the making. Not safe for use by many threads. */
public final class EventLogEntryBuilder {
  private static final int SPAN_ID_DIGITS = 16;

  private @Nullable String correlationId;
  private @Nullable String accountId;
  private @Nullable String traceId;
  private @Nullable String spanId;
  private @Nullable String parentSpanId;
  private @Nullable List<String> spanLinks;
  private @Nullable String batchId;
  private @Nullable String applicationId;
  private @Nullable String targetSystem;
  private @Nullable String originatingSystem;
  private @Nullable String processName;
  private @Nullable Integer stepSequence;
  private @Nullable String stepName;
  private @Nullable EventType eventType;
  private @Nullable EventStatus eventStatus;
  private @Nullable Map<String, Object> identifiers;
  private @Nullable String summary;
  private @Nullable String result;
  private @Nullable Map<String, Object> metadata;
  private @Nullable Instant eventTimestamp;
  private @Nullable Long executionTimeMs;
  private @Nullable String endpoint;
  private @Nullable String httpMethod;
  private @Nullable Integer httpStatusCode;
  private @Nullable String errorCode;
  private @Nullable String errorMessage;
  private @Nullable String requestPayload;
  private @Nullable String responsePayload;
  private @Nullable String idempotencyKey;

  EventLogEntryBuilder() {}

  /** Sets what belongs together across systems; required. */
  public EventLogEntryBuilder correlationId(@Nullable String correlationId) {
    this.correlationId = correlationId;
    return this;
  }

  /** Sets whose account it is about. */
  public EventLogEntryBuilder accountId(@Nullable String accountId) {
    this.accountId = accountId;
    return this;
  }

  /** Sets the trace it belongs to; required. */
  public EventLogEntryBuilder traceId(@Nullable String traceId) {
    this.traceId = traceId;
    return this;
  }

  /** Sets 16 hexadecimal digits; generated if not given. */
  public EventLogEntryBuilder spanId(@Nullable String spanId) {
    this.spanId = spanId;
    return this;
  }

  /** Sets the span that caused it. */
  public EventLogEntryBuilder parentSpanId(@Nullable String parentSpanId) {
    this.parentSpanId = parentSpanId;
    return this;
  }

  /** Sets spans it has to do with. */
  public EventLogEntryBuilder spanLinks(@Nullable List<String> spanLinks) {
    this.spanLinks = spanLinks;
    return this;
  }

  /** Sets the batch job it is part of. */
  public EventLogEntryBuilder batchId(@Nullable String batchId) {
    this.batchId = batchId;
    return this;
  }

  /** Sets who logs; required. */
  public EventLogEntryBuilder applicationId(@Nullable String applicationId) {
    this.applicationId = applicationId;
    return this;
  }

  /** Sets the system that is called; required. */
  public EventLogEntryBuilder targetSystem(@Nullable String targetSystem) {
    this.targetSystem = targetSystem;
    return this;
  }

  /** Sets the system it all began in; required. */
  public EventLogEntryBuilder originatingSystem(@Nullable String originatingSystem) {
    this.originatingSystem = originatingSystem;
    return this;
  }

  /** Sets the name of the process; required. */
  public EventLogEntryBuilder processName(@Nullable String processName) {
    this.processName = processName;
    return this;
  }

  /** Sets the number of the step. */
  public EventLogEntryBuilder stepSequence(@Nullable Integer stepSequence) {
    this.stepSequence = stepSequence;
    return this;
  }

  /** Sets the name of the step. */
  public EventLogEntryBuilder stepName(@Nullable String stepName) {
    this.stepName = stepName;
    return this;
  }

  /** Sets what kind of thing happened; required. */
  public EventLogEntryBuilder eventType(@Nullable EventType eventType) {
    this.eventType = eventType;
    return this;
  }

  /** Sets how it went; required. */
  public EventLogEntryBuilder eventStatus(@Nullable EventStatus eventStatus) {
    this.eventStatus = eventStatus;
    return this;
  }

  /** Sets the business keys it is about; what is in the map must not change any more. */
  public EventLogEntryBuilder identifiers(@Nullable Map<String, Object> identifiers) {
    this.identifiers = identifiers;
    return this;
  }

  /** Sets what happened, in a sentence; required. */
  public EventLogEntryBuilder summary(@Nullable String summary) {
    this.summary = summary;
    return this;
  }

  /** Sets what came of it; required. */
  public EventLogEntryBuilder result(@Nullable String result) {
    this.result = result;
    return this;
  }

  /** Sets anything else; what is in the map must not change any more. */
  public EventLogEntryBuilder metadata(@Nullable Map<String, Object> metadata) {
    this.metadata = metadata;
    return this;
  }

  /** Sets when it happened; the moment it is built if not given. */
  public EventLogEntryBuilder eventTimestamp(@Nullable Instant eventTimestamp) {
    this.eventTimestamp = eventTimestamp;
    return this;
  }

  /** Sets how long it took, in milliseconds. */
  public EventLogEntryBuilder executionTimeMs(@Nullable Long executionTimeMs) {
    this.executionTimeMs = executionTimeMs;
    return this;
  }

  /** Sets the address that was called. */
  public EventLogEntryBuilder endpoint(@Nullable String endpoint) {
    this.endpoint = endpoint;
    return this;
  }

  /** Sets how it was called. */
  public EventLogEntryBuilder httpMethod(@Nullable String httpMethod) {
    this.httpMethod = httpMethod;
    return this;
  }

  /** Sets what it answered. */
  public EventLogEntryBuilder httpStatusCode(@Nullable Integer httpStatusCode) {
    this.httpStatusCode = httpStatusCode;
    return this;
  }

  /** Sets the code of the error. */
  public EventLogEntryBuilder errorCode(@Nullable String errorCode) {
    this.errorCode = errorCode;
    return this;
  }

  /** Sets the error, in words. */
  public EventLogEntryBuilder errorMessage(@Nullable String errorMessage) {
    this.errorMessage = errorMessage;
    return this;
  }

  /** Sets what was sent. */
  public EventLogEntryBuilder requestPayload(@Nullable String requestPayload) {
    this.requestPayload = requestPayload;
    return this;
  }

  /** Sets what came back. */
  public EventLogEntryBuilder responsePayload(@Nullable String responsePayload) {
    this.responsePayload = responsePayload;
    return this;
  }

  /** Sets what tells this event from every other; generated if not given. */
  public EventLogEntryBuilder idempotencyKey(@Nullable String idempotencyKey) {
    this.idempotencyKey = idempotencyKey;
    return this;
  }

  /**
   * A template with the fields set so far, to begin many events with. The fields that are generated
   * are left out: {@code spanId}, {@code eventTimestamp} and {@code idempotencyKey}.
   *
   * @return a template that cannot be changed
   */
  public EventLogTemplate toTemplate() {
    return new EventLogTemplate(this);
  }

  /** Another one with the same fields, but for those that are generated. */
  EventLogEntryBuilder copy() {
    EventLogEntryBuilder copy = new EventLogEntryBuilder();
    copy.correlationId = correlationId;
    copy.accountId = accountId;
    copy.traceId = traceId;
    copy.parentSpanId = parentSpanId;
    copy.spanLinks = spanLinks;
    copy.batchId = batchId;
    copy.applicationId = applicationId;
    copy.targetSystem = targetSystem;
    copy.originatingSystem = originatingSystem;
    copy.processName = processName;
    copy.stepSequence = stepSequence;
    copy.stepName = stepName;
    copy.eventType = eventType;
    copy.eventStatus = eventStatus;
    copy.identifiers = identifiers;
    copy.summary = summary;
    copy.result = result;
    copy.metadata = metadata;
    copy.executionTimeMs = executionTimeMs;
    copy.endpoint = endpoint;
    copy.httpMethod = httpMethod;
    copy.httpStatusCode = httpStatusCode;
    copy.errorCode = errorCode;
    copy.errorMessage = errorMessage;
    copy.requestPayload = requestPayload;
    copy.responsePayload = responsePayload;
    return copy;
  }

  /**
   * The event.
   *
   * @return an event that cannot be changed
   * @throws IllegalArgumentException if anything required is missing or empty, naming all of it
   */
  @SuppressWarnings("NullAway") // the constructor names everything that is missing
  public EventLogEntry build() {
    return new EventLogEntry(
        correlationId,
        accountId,
        traceId,
        spanId == null ? newSpanId() : spanId,
        parentSpanId,
        spanLinks,
        batchId,
        applicationId,
        targetSystem,
        originatingSystem,
        processName,
        stepSequence,
        stepName,
        eventType,
        eventStatus,
        identifiers,
        summary,
        result,
        metadata,
        eventTimestamp == null ? TimeSource.system().instant() : eventTimestamp,
        executionTimeMs,
        endpoint,
        httpMethod,
        httpStatusCode,
        errorCode,
        errorMessage,
        requestPayload,
        responsePayload,
        idempotencyKey == null ? UlidGenerator.shared().next() : idempotencyKey);
  }

  private static String newSpanId() {
    String hex = Long.toHexString(ThreadLocalRandom.current().nextLong());
    return "0".repeat(SPAN_ID_DIGITS - hex.length()) + hex;
  }
}
