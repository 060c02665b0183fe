package outbox;

import holdfast.id.UlidGenerator;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import outbox.model.Claim;
import outbox.model.OutboxEvent;

/**
 * An event with everything that is stored and handed to listeners. Immutable.
 *
 * <pre>{@code
 * EventEnvelope event = EventEnvelope.builder(UserEvents.USER_CREATED)
 *     .aggregateType(Aggregates.USER)
 *     .aggregateId("123")
 *     .payloadJson("{\"name\":\"John\"}")
 *     .build();
 * }</pre>
 */
public final class EventEnvelope {
  /** The largest payload in bytes, JSON measured as UTF-8: {@value}. */
  public static final int MAX_PAYLOAD_BYTES = 1_048_576;

  /** The largest headers in bytes, all together as JSON in UTF-8: {@value}. */
  public static final int MAX_HEADERS_BYTES = 65_536;

  private final EnvelopeFields fields;
  private final long approximateSize;

  private EventEnvelope(EnvelopeFields fields) {
    this.fields = fields;
    this.approximateSize = fields.approximateSize();
  }

  /** Starts an event of a type. */
  public static Builder builder(EventType eventType) {
    return new Builder(eventType.name());
  }

  /** Starts an event of a type given by its name, 1 to 128 characters. */
  public static Builder builder(String eventType) {
    return new Builder(eventType);
  }

  /** An event with a JSON payload and nothing else. */
  public static EventEnvelope ofJson(String eventType, String payloadJson) {
    return builder(eventType).payloadJson(payloadJson).build();
  }

  /** An event with a JSON payload and nothing else. */
  public static EventEnvelope ofJson(EventType eventType, String payloadJson) {
    return builder(eventType).payloadJson(payloadJson).build();
  }

  /**
   * The event in a stored row.
   *
   * @param row what was read
   * @return the event as it was published, but for when it became due and whether it is ordered
   * @throws IllegalArgumentException if headers or payload cannot be decoded
   */
  public static EventEnvelope of(OutboxEvent row) {
    return new EventEnvelope(EnvelopeFields.of(row, false));
  }

  /**
   * The event in a claimed row.
   *
   * @param claim what was claimed
   * @return the event as it was published, but for when it became due
   * @throws IllegalArgumentException if headers or payload cannot be decoded
   */
  public static EventEnvelope of(Claim claim) {
    return new EventEnvelope(EnvelopeFields.of(claim.event(), claim.ordered()));
  }

  /** A copy with one header more, replacing one of the same name. */
  EventEnvelope withHeader(String name, String value) {
    Map<String, String> headers = new LinkedHashMap<>(fields.headers());
    headers.put(name, value);
    return new EventEnvelope(fields.withHeaders(Collections.unmodifiableMap(headers)));
  }

  /** What tells this event from every other; a ULID unless the publisher chose one. */
  public String eventId() {
    return fields.eventId();
  }

  /** The name of the event's type. */
  public String eventType() {
    return fields.eventType();
  }

  /** When it happened, in microseconds. */
  public Instant occurredAt() {
    return fields.occurredAt();
  }

  /** The name of the type of the thing it is about. */
  public @Nullable String aggregateType() {
    return fields.aggregateType();
  }

  /** Which thing it is about. */
  public @Nullable String aggregateId() {
    return fields.aggregateId();
  }

  /** Whose event it is; passed through, never looked at. */
  public @Nullable String tenantId() {
    return fields.tenantId();
  }

  /** Names and values that travel with the event; cannot be changed. */
  public Map<String, String> headers() {
    return fields.headers();
  }

  /** The payload if it is JSON. */
  public @Nullable String payloadJson() {
    return fields.payloadJson();
  }

  /** A copy of the payload if it is bytes. */
  public byte @Nullable [] payloadBytes() {
    byte[] bytes = fields.payloadBytes();
    return bytes == null ? null : bytes.clone();
  }

  /** The moment before which it must not be delivered, if one was set. */
  public @Nullable Instant availableAt() {
    return fields.availableAt();
  }

  /** How long after its publication it must not be delivered, if that was set. */
  public @Nullable Duration deliverAfter() {
    return fields.deliverAfter();
  }

  /** Whether it is to be delivered at once. */
  public boolean isImmediate() {
    return fields.availableAt() == null && fields.deliverAfter() == null;
  }

  /** Whether it must be delivered after all earlier ordered events of the same aggregate. */
  public boolean isOrdered() {
    return fields.ordered();
  }

  /** The payload as it is stored: JSON as it is, bytes as a JSON text in base 64. */
  public String storedPayload() {
    byte[] bytes = fields.payloadBytes();
    return bytes == null
        ? String.valueOf(fields.payloadJson())
        : '"' + Base64.getEncoder().encodeToString(bytes) + '"';
  }

  /** Returns how many bytes of memory it takes with its payload and headers, about. */
  public long approximateSize() {
    return approximateSize;
  }

  /** Type and id; never the payload. */
  @Override
  public String toString() {
    return "EventEnvelope[" + eventType() + " " + eventId() + "]";
  }

  /** Settings of an {@link EventEnvelope}. Not safe for use by many threads. */
  public static final class Builder {
    private final String eventType;
    private @Nullable String eventId;
    private @Nullable Instant occurredAt;
    private @Nullable String aggregateType;
    private @Nullable String aggregateId;
    private @Nullable String tenantId;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private @Nullable String payloadJson;
    private byte @Nullable [] payloadBytes;
    private @Nullable Instant availableAt;
    private @Nullable Duration deliverAfter;
    private boolean ordered;

    private Builder(String eventType) {
      this.eventType = eventType;
    }

    /**
     * Sets the id, 1 to 36 characters, none of white space at an end; replaces the ULID it would
     * get.
     */
    public Builder eventId(@Nullable String eventId) {
      this.eventId = eventId;
      return this;
    }

    /** Sets when it happened; replaces the moment it is built. */
    public Builder occurredAt(@Nullable Instant occurredAt) {
      this.occurredAt = occurredAt;
      return this;
    }

    /** Sets the type of the thing it is about. */
    public Builder aggregateType(AggregateType aggregateType) {
      return aggregateType(Objects.requireNonNull(aggregateType, "aggregateType").name());
    }

    /** Sets the type of the thing it is about, by a name of up to 64 characters. */
    public Builder aggregateType(@Nullable String aggregateType) {
      this.aggregateType = aggregateType;
      return this;
    }

    /** Sets which thing it is about, up to 128 characters. */
    public Builder aggregateId(@Nullable String aggregateId) {
      this.aggregateId = aggregateId;
      return this;
    }

    /** Sets whose event it is, up to 64 characters. */
    public Builder tenantId(@Nullable String tenantId) {
      this.tenantId = tenantId;
      return this;
    }

    /** Sets all headers; replaces those set before. */
    public Builder headers(Map<String, String> headers) {
      Objects.requireNonNull(headers, "headers");
      this.headers.clear();
      this.headers.putAll(headers);
      return this;
    }

    /** Adds one header; replaces one of the same name. */
    public Builder header(String name, String value) {
      headers.put(name, value);
      return this;
    }

    /** Sets the payload as JSON text; excludes bytes. */
    public Builder payloadJson(@Nullable String payloadJson) {
      this.payloadJson = payloadJson;
      return this;
    }

    /** Sets the payload as bytes, which are copied; excludes JSON. */
    public Builder payloadBytes(byte @Nullable [] payloadBytes) {
      this.payloadBytes = payloadBytes == null ? null : payloadBytes.clone();
      return this;
    }

    /** Sets the moment before which it must not be delivered; excludes {@link #deliverAfter}. */
    public Builder availableAt(@Nullable Instant availableAt) {
      this.availableAt = availableAt;
      return this;
    }

    /** Sets how long after its publication it must wait; excludes {@link #availableAt}. */
    public Builder deliverAfter(@Nullable Duration deliverAfter) {
      this.deliverAfter = deliverAfter;
      return this;
    }

    /** Asks for delivery after all earlier ordered events of the same aggregate. */
    public Builder ordered() {
      this.ordered = true;
      return this;
    }

    /**
     * The event.
     *
     * @return an envelope that cannot be changed
     * @throws IllegalArgumentException if anything is missing, too long or not JSON, naming all of
     *     it
     */
    public EventEnvelope build() {
      EnvelopeFields fields = fields();
      fields.check();
      return new EventEnvelope(fields);
    }

    // Databases keep microseconds; what comes back must equal what was published.
    private EnvelopeFields fields() {
      Instant at = occurredAt == null ? TimeSource.system().instant() : occurredAt;
      return new EnvelopeFields(
          eventId == null ? UlidGenerator.shared().next() : eventId,
          eventType,
          at.truncatedTo(ChronoUnit.MICROS),
          aggregateType,
          aggregateId,
          tenantId,
          Collections.unmodifiableMap(new LinkedHashMap<>(headers)),
          payloadJson,
          payloadBytes,
          availableAt,
          deliverAfter,
          ordered);
    }
  }
}
