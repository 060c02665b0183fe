package outbox;

import holdfast.problems.Problems;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.util.JsonCodec;

/** Everything an envelope holds, and the rules it must follow. Immutable but for the bytes. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record EnvelopeFields(
    String eventId,
    String eventType,
    Instant occurredAt,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    @Nullable String tenantId,
    Map<String, String> headers,
    @Nullable String payloadJson,
    byte @Nullable [] payloadBytes,
    @Nullable Instant availableAt,
    @Nullable Duration deliverAfter,
    boolean ordered) {

  private static final int MAX_EVENT_ID = 36;
  private static final int MAX_EVENT_TYPE = 128;
  private static final int MAX_AGGREGATE_TYPE = 64;
  private static final int MAX_AGGREGATE_ID = 128;
  private static final int MAX_TENANT_ID = 64;

  /** Throws once, naming every rule that is broken. */
  void check() {
    Problems problems = new Problems("EventEnvelope");
    checkText(problems, "eventId", eventId, MAX_EVENT_ID);
    checkText(problems, "eventType", eventType, MAX_EVENT_TYPE);
    checkOptional(problems, "aggregateType", aggregateType, MAX_AGGREGATE_TYPE);
    checkOptional(problems, "aggregateId", aggregateId, MAX_AGGREGATE_ID);
    checkOptional(problems, "tenantId", tenantId, MAX_TENANT_ID);
    headers.forEach((name, value) -> checkHeader(problems, name, value));
    checkDelay(problems);
    if (ordered && (aggregateType == null || aggregateId == null)) {
      problems.add("an ordered event must have aggregateType and aggregateId; set both");
    }
    checkPayload(problems);
    problems.throwIfAny();
  }

  private static void checkText(Problems problems, String name, @Nullable String text, int max) {
    problems.require(text != null && !text.isBlank(), name, "be set and not blank", text);
    checkOptional(problems, name, text, max);
  }

  private static void checkOptional(
      Problems problems, String name, @Nullable String text, int max) {
    int length = text == null ? 0 : text.length();
    problems.require(length <= max, name, "have " + max + " characters or fewer", length);
    problems.require(text == null || text.indexOf('\0') < 0, name, "have no NUL character", text);
  }

  private static void checkHeader(
      Problems problems, @Nullable String name, @Nullable String value) {
    problems.require(name != null && value != null, "header " + name, "not be null", value);
  }

  private void checkDelay(Problems problems) {
    problems.require(
        deliverAfter == null || !deliverAfter.isNegative(),
        "deliverAfter",
        "be zero or more",
        deliverAfter);
    if (availableAt != null && deliverAfter != null) {
      problems.add("availableAt and deliverAfter are both set; set one of them");
    }
  }

  private void checkPayload(Problems problems) {
    if ((payloadJson == null) == (payloadBytes == null)) {
      problems.add(
          "exactly one of payloadJson and payloadBytes must be set but "
              + (payloadJson == null ? "neither was" : "both were"));
      return;
    }
    long size =
        payloadBytes != null
            ? payloadBytes.length
            : String.valueOf(payloadJson).getBytes(StandardCharsets.UTF_8).length;
    boolean fits = size <= EventEnvelope.MAX_PAYLOAD_BYTES;
    problems.require(
        fits, "payload", "have " + EventEnvelope.MAX_PAYLOAD_BYTES + " bytes or fewer", size);
    if (fits && payloadJson != null) {
      JsonCodec.findMistake(payloadJson).ifPresent(m -> problems.add("payloadJson " + m));
    }
  }

  EnvelopeFields withHeaders(Map<String, String> replaced) {
    return new EnvelopeFields(
        eventId,
        eventType,
        occurredAt,
        aggregateType,
        aggregateId,
        tenantId,
        replaced,
        payloadJson,
        payloadBytes,
        availableAt,
        deliverAfter,
        ordered);
  }
}
