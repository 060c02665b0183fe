package eventlog;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One event for the Event Log API. Immutable, as far as the values in its maps are.
 *
 * <pre>{@code
 * EventLogEntry event = EventLogEntry.builder()
 *     .correlationId("order-42").traceId("4bf92f3577b34da6")
 *     .applicationId("shop").targetSystem("warehouse").originatingSystem("web")
 *     .processName("PlaceOrder").eventType(EventType.STEP).eventStatus(EventStatus.SUCCESS)
 *     .summary("Stock reserved").result("3 items")
 *     .build();
 * }</pre>
 *
 * @param correlationId what belongs together across systems; required
 * @param accountId whose account it is about
 * @param traceId the trace it belongs to; required
 * @param spanId 16 hexadecimal digits; generated if not given
 * @param parentSpanId the span that caused it
 * @param spanLinks spans it has to do with
 * @param batchId the batch job it is part of
 * @param applicationId who logs; required
 * @param targetSystem the system that is called; required
 * @param originatingSystem the system it all began in; required
 * @param processName the name of the process; required
 * @param stepSequence the number of the step
 * @param stepName the name of the step
 * @param eventType what kind of thing happened; required
 * @param eventStatus how it went; required
 * @param identifiers the business keys it is about
 * @param summary what happened, in a sentence; required
 * @param result what came of it; required
 * @param metadata anything else
 * @param eventTimestamp when it happened; the moment it is built if not given
 * @param executionTimeMs how long it took, in milliseconds
 * @param endpoint the address that was called
 * @param httpMethod how it was called
 * @param httpStatusCode what it answered
 * @param errorCode the code of the error
 * @param errorMessage the error, in words
 * @param requestPayload what was sent
 * @param responsePayload what came back
 * @param idempotencyKey what tells this event from every other; generated if not given
 */
public record EventLogEntry(
    String correlationId,
    @Nullable String accountId,
    String traceId,
    String spanId,
    @Nullable String parentSpanId,
    @Nullable List<String> spanLinks,
    @Nullable String batchId,
    String applicationId,
    String targetSystem,
    String originatingSystem,
    String processName,
    @Nullable Integer stepSequence,
    @Nullable String stepName,
    EventType eventType,
    EventStatus eventStatus,
    @Nullable Map<String, Object> identifiers,
    String summary,
    String result,
    @Nullable Map<String, Object> metadata,
    Instant eventTimestamp,
    @Nullable Long executionTimeMs,
    @Nullable String endpoint,
    @Nullable String httpMethod,
    @Nullable Integer httpStatusCode,
    @Nullable String errorCode,
    @Nullable String errorMessage,
    @Nullable String requestPayload,
    @Nullable String responsePayload,
    String idempotencyKey) {

  /**
   * Copies the collections, and checks that what is required is there.
   *
   * @throws IllegalArgumentException if anything required is missing or empty, naming all of it
   */
  public EventLogEntry {
    List<String> missing = new ArrayList<>();
    require(missing, "correlationId", correlationId);
    require(missing, "traceId", traceId);
    require(missing, "spanId", spanId);
    require(missing, "applicationId", applicationId);
    require(missing, "targetSystem", targetSystem);
    require(missing, "originatingSystem", originatingSystem);
    require(missing, "processName", processName);
    require(missing, "eventType", eventType);
    require(missing, "eventStatus", eventStatus);
    require(missing, "summary", summary);
    require(missing, "result", result);
    require(missing, "eventTimestamp", eventTimestamp);
    require(missing, "idempotencyKey", idempotencyKey);
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(
          "EventLogEntry needs all required fields but is missing "
              + String.join(", ", missing)
              + "; set them");
    }
    spanLinks = spanLinks == null ? null : List.copyOf(spanLinks);
    identifiers = MeasuredMetadata.copy(identifiers);
    metadata = MeasuredMetadata.copy(metadata);
    Collection<?>[] collections = {
      spanLinks == null ? List.of() : spanLinks,
      identifiers == null ? List.of() : identifiers.entrySet(),
      metadata == null ? List.of() : metadata.entrySet()
    };
    int bytes =
        EventSize.of(
            collections,
            correlationId,
            accountId,
            traceId,
            spanId,
            parentSpanId,
            batchId,
            applicationId,
            targetSystem,
            originatingSystem,
            processName,
            stepName,
            summary,
            result,
            endpoint,
            httpMethod,
            errorCode,
            errorMessage,
            requestPayload,
            responsePayload,
            idempotencyKey);
    metadata = new MeasuredMetadata(metadata, bytes);
  }

  @Override
  public @Nullable Map<String, Object> metadata() {
    return ((MeasuredMetadata) Objects.requireNonNull(metadata)).metadata();
  }

  /**
   * Returns how many bytes of memory the event takes, about: what {@code maxQueueBytes} counts. A
   * character of a text counts as two bytes, an object of your own in a map as 1,024.
   */
  public int estimatedBytes() {
    return ((MeasuredMetadata) Objects.requireNonNull(metadata)).eventBytes();
  }

  /** Starts an event with nothing set. */
  public static EventLogEntryBuilder builder() {
    return new EventLogEntryBuilder();
  }

  /**
   * Starts an event with everything set as it is here, the span included; only the {@code
   * idempotencyKey} is not copied. The API stores one event for each key, so a second event with
   * the same one would be dropped.
   */
  public EventLogEntryBuilder toBuilder() {
    return EntryCopy.of(this);
  }

  /** Who, what and which; never a payload. */
  @Override
  public String toString() {
    return "EventLogEntry[" + processName + " " + eventType + " " + idempotencyKey + "]";
  }

  // Callers without null checks can hand in null all the same.
  private static void require(List<String> missing, String field, @Nullable Object value) {
    if (value == null || (value instanceof String text && text.isBlank())) {
      missing.add(field);
    }
  }
}
