package eventlog.spi;

import eventlog.EventLogEntry;
import eventlog.LossReason;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes events as JSON objects without white space; fields that are null are left out.
 *
 * <p>Stateless; safe for use by many threads.
 */
public final class EntryWriter {
  private static final int BRACES = 2;

  private final int maxEntryBytes;

  /**
   * A writer that refuses events longer than allowed.
   *
   * @param maxEntryBytes the most bytes one event may have as JSON
   */
  public EntryWriter(int maxEntryBytes) {
    this.maxEntryBytes = maxEntryBytes;
  }

  /**
   * Appends an event as a JSON object.
   *
   * @param entry the event
   * @param json where to; unchanged if the event cannot be written
   * @throws UnwritableEntryException if it cannot be written, or is too long
   */
  public void write(EventLogEntry entry, JsonBuffer json) {
    int start = json.length();
    json.raw('{');
    writeFields(entry, json, start);
    json.raw('}');
  }

  /**
   * Appends an event's fields without the braces around them.
   *
   * @param entry the event
   * @param json where to; cut back to {@code start} if the event cannot be written
   * @param start where the object begins
   * @throws UnwritableEntryException if it cannot be written, or is too long
   */
  public void writeFields(EventLogEntry entry, JsonBuffer json, int start) {
    try {
      int begin = json.length();
      json.limit((long) begin + maxEntryBytes);
      fields(entry, json);
      if (json.length() - begin + BRACES > maxEntryBytes) {
        throw json.tooLarge();
      }
    } catch (UnwritableEntryException e) {
      json.truncate(start);
      throw e;
    } catch (RuntimeException | Error e) {
      // What is in the maps is the application's own and may do anything when it is looked at.
      json.truncate(start);
      if (e instanceof VirtualMachineError machine && !(e instanceof StackOverflowError)) {
        throw machine; // not the event's fault
      }
      throw new UnwritableEntryException(
          LossReason.NOT_SERIALIZABLE, entry + " cannot be written as JSON: " + e, e);
    } finally {
      json.limit(Long.MAX_VALUE);
    }
  }

  private static void fields(EventLogEntry e, JsonBuffer json) {
    json.raw(Name.CORRELATION_ID).text(e.correlationId());
    text(json, Name.ACCOUNT_ID, e.accountId());
    text(json, Name.TRACE_ID, e.traceId());
    text(json, Name.SPAN_ID, e.spanId());
    text(json, Name.PARENT_SPAN_ID, e.parentSpanId());
    value(json, Name.SPAN_LINKS, e.spanLinks());
    text(json, Name.BATCH_ID, e.batchId());
    text(json, Name.APPLICATION_ID, e.applicationId());
    text(json, Name.TARGET_SYSTEM, e.targetSystem());
    text(json, Name.ORIGINATING_SYSTEM, e.originatingSystem());
    text(json, Name.PROCESS_NAME, e.processName());
    number(json, Name.STEP_SEQUENCE, e.stepSequence());
    text(json, Name.STEP_NAME, e.stepName());
    text(json, Name.EVENT_TYPE, e.eventType().name());
    text(json, Name.EVENT_STATUS, e.eventStatus().name());
    value(json, Name.IDENTIFIERS, e.identifiers());
    text(json, Name.SUMMARY, e.summary());
    text(json, Name.RESULT, e.result());
    value(json, Name.METADATA, e.metadata());
    json.raw(Name.EVENT_TIMESTAMP);
    Timestamps.write(e.eventTimestamp(), json);
    number(json, Name.EXECUTION_TIME_MS, e.executionTimeMs());
    text(json, Name.ENDPOINT, e.endpoint());
    text(json, Name.HTTP_METHOD, e.httpMethod());
    number(json, Name.HTTP_STATUS_CODE, e.httpStatusCode());
    text(json, Name.ERROR_CODE, e.errorCode());
    text(json, Name.ERROR_MESSAGE, e.errorMessage());
    text(json, Name.REQUEST_PAYLOAD, e.requestPayload());
    text(json, Name.RESPONSE_PAYLOAD, e.responsePayload());
    text(json, Name.IDEMPOTENCY_KEY, e.idempotencyKey());
  }

  private static void text(JsonBuffer json, byte[] name, @Nullable String value) {
    if (value != null) {
      json.raw(name).text(value);
    }
  }

  private static void number(JsonBuffer json, byte[] name, @Nullable Number value) {
    if (value != null) {
      json.raw(name).number(value.longValue());
    }
  }

  private static void value(JsonBuffer json, byte[] name, @Nullable Object value) {
    if (value != null) {
      json.raw(name);
      JsonValues.write(value, json, 0);
    }
  }

  /** The names of the fields with what is around them, ready to be copied. */
  private static final class Name {
    static final byte[] CORRELATION_ID =
        "\"correlationId\":".getBytes(StandardCharsets.US_ASCII); // always the first
    static final byte[] ACCOUNT_ID = of("accountId");
    static final byte[] TRACE_ID = of("traceId");
    static final byte[] SPAN_ID = of("spanId");
    static final byte[] PARENT_SPAN_ID = of("parentSpanId");
    static final byte[] SPAN_LINKS = of("spanLinks");
    static final byte[] BATCH_ID = of("batchId");
    static final byte[] APPLICATION_ID = of("applicationId");
    static final byte[] TARGET_SYSTEM = of("targetSystem");
    static final byte[] ORIGINATING_SYSTEM = of("originatingSystem");
    static final byte[] PROCESS_NAME = of("processName");
    static final byte[] STEP_SEQUENCE = of("stepSequence");
    static final byte[] STEP_NAME = of("stepName");
    static final byte[] EVENT_TYPE = of("eventType");
    static final byte[] EVENT_STATUS = of("eventStatus");
    static final byte[] IDENTIFIERS = of("identifiers");
    static final byte[] SUMMARY = of("summary");
    static final byte[] RESULT = of("result");
    static final byte[] METADATA = of("metadata");
    static final byte[] EVENT_TIMESTAMP = of("eventTimestamp");
    static final byte[] EXECUTION_TIME_MS = of("executionTimeMs");
    static final byte[] ENDPOINT = of("endpoint");
    static final byte[] HTTP_METHOD = of("httpMethod");
    static final byte[] HTTP_STATUS_CODE = of("httpStatusCode");
    static final byte[] ERROR_CODE = of("errorCode");
    static final byte[] ERROR_MESSAGE = of("errorMessage");
    static final byte[] REQUEST_PAYLOAD = of("requestPayload");
    static final byte[] RESPONSE_PAYLOAD = of("responsePayload");
    static final byte[] IDEMPOTENCY_KEY = of("idempotencyKey");

    private Name() {}

    private static byte[] of(String field) {
      return (",\"" + field + "\":").getBytes(StandardCharsets.US_ASCII);
    }
  }
}
