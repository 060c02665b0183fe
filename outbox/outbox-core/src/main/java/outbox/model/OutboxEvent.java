package outbox.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of the outbox table as it was read; headers and payload are not decoded. Immutable.
 *
 * @param eventId what tells the event from every other
 * @param eventType the name of its type
 * @param aggregateType the name of the type of the thing it is about
 * @param aggregateId which thing it is about
 * @param tenantId whose event it is
 * @param payload the payload as JSON text
 * @param headers the headers as a JSON object
 * @param attempts how many deliveries have failed
 * @param createdAt when it happened
 * @param payloadEncoding null for JSON, {@value #BASE64} for bytes in a JSON text
 */
public record OutboxEvent(
    String eventId,
    String eventType,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    @Nullable String tenantId,
    String payload,
    @Nullable String headers,
    int attempts,
    Instant createdAt,
    @Nullable String payloadEncoding) {

  /** How bytes are marked in the column payload_encoding: {@value}. */
  public static final String BASE64 = "base64";

  /** Whether the payload stands for bytes. */
  public boolean hasBinaryPayload() {
    return BASE64.equals(payloadEncoding);
  }
}
