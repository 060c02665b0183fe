package outbox;

import holdfast.problems.Problems;
import holdfast.work.HeapSize;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.model.OutboxEvent;
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
  private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");
  private static final Duration LONGEST_DELAY = Duration.ofDays(36_500);

  /** The fields in a stored row; not checked, since they were when they were published. */
  static EnvelopeFields of(OutboxEvent row, boolean ordered) {
    String headers = row.headers();
    byte[] bytes =
        row.hasBinaryPayload()
            ? Base64.getDecoder().decode(JsonCodec.stringFromJson(row.payload()))
            : null;
    return new EnvelopeFields(
        row.eventId(),
        row.eventType(),
        row.createdAt(),
        row.aggregateType(),
        row.aggregateId(),
        row.tenantId(),
        headers == null ? Map.of() : JsonCodec.fromJson(headers),
        bytes == null ? row.payload() : null,
        bytes,
        null,
        null,
        ordered);
  }

  /** How many bytes of memory the event takes, about. */
  long approximateSize() {
    long payload = payloadBytes != null ? payloadBytes.length : 0;
    payload += payloadJson != null ? HeapSize.of(payloadJson) : 0;
    return HeapSize.PER_EVENT + payload + HeapSize.of(headers);
  }

  /** Throws once, naming every rule that is broken. */
  void check() {
    Problems problems = new Problems("EventEnvelope");
    checkText(problems, "eventId", eventId, MAX_EVENT_ID);
    checkText(problems, "eventType", eventType, MAX_EVENT_TYPE);
    checkOptional(problems, "aggregateType", aggregateType, MAX_AGGREGATE_TYPE);
    checkOptional(problems, "aggregateId", aggregateId, MAX_AGGREGATE_ID);
    checkOptional(problems, "tenantId", tenantId, MAX_TENANT_ID);
    checkEnds(problems, "eventId", eventId);
    checkEnds(problems, "aggregateType", aggregateType);
    checkEnds(problems, "aggregateId", aggregateId);
    headers.forEach((name, value) -> checkHeader(problems, name, value));
    checkHeadersFit(problems);
    checkMoment(problems, "occurredAt", occurredAt);
    checkDelay(problems);
    if (ordered && (aggregateType == null || aggregateId == null)) {
      problems.add(
          "an ordered event must have aggregateType and aggregateId but has %s and %s; set both"
              .formatted(aggregateType, aggregateId));
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
    checkWhole(problems, name, text);
  }

  /** MariaDB takes "x" and "x " for the same key: one event or aggregate where there are two. */
  private static void checkEnds(Problems problems, String name, @Nullable String text) {
    boolean stripped = text == null || text.equals(text.strip());
    problems.require(stripped, name, "have no white space at its ends", text);
  }

  /** Half a surrogate pair has no UTF-8 form: the table would hold another text, or none. */
  private static void checkWhole(Problems problems, String name, @Nullable String text) {
    boolean whole =
        text == null
            || text.codePoints()
                .noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    problems.require(whole, name, "have whole characters, not half of a surrogate pair,", text);
  }

  /** Databases end where these years do. */
  private static void checkMoment(Problems problems, String name, @Nullable Instant moment) {
    problems.require(
        moment == null || !(moment.isBefore(EARLIEST) || moment.isAfter(LATEST)),
        name,
        "be " + EARLIEST + " to " + LATEST,
        moment);
  }

  private static void checkHeader(
      Problems problems, @Nullable String name, @Nullable String value) {
    problems.require(name != null && value != null, "header " + name, "not be null", value);
    checkWhole(problems, "header name", name);
    checkWhole(problems, "header " + name, value);
  }

  /** Measured only where it may be too much: no character takes more than its six as an escape. */
  private void checkHeadersFit(Problems problems) {
    if (headers.containsKey(null) || headers.containsValue(null)) {
      return; // refused for that
    }
    long most = 2;
    for (Map.Entry<String, String> header : headers.entrySet()) {
      most += 6L * (header.getKey().length() + header.getValue().length() + 1);
    }
    if (most > EventEnvelope.MAX_HEADERS_BYTES) {
      int size = JsonCodec.toJson(headers).getBytes(StandardCharsets.UTF_8).length;
      problems.require(
          size <= EventEnvelope.MAX_HEADERS_BYTES,
          "headers",
          "have " + EventEnvelope.MAX_HEADERS_BYTES + " bytes or fewer as JSON",
          size);
    }
  }

  private void checkDelay(Problems problems) {
    problems.require(
        deliverAfter == null || !deliverAfter.isNegative(),
        "deliverAfter",
        "be zero or more",
        deliverAfter);
    problems.require(
        deliverAfter == null || deliverAfter.compareTo(LONGEST_DELAY) <= 0,
        "deliverAfter",
        "be " + LONGEST_DELAY.toDays() + " days or less",
        deliverAfter);
    checkMoment(problems, "availableAt", availableAt);
    if (availableAt != null && deliverAfter != null) {
      problems.add("availableAt and deliverAfter are both set; set one of them");
    }
  }

  private void checkPayload(Problems problems) {
    if ((payloadJson == null) == (payloadBytes == null)) {
      problems.add(
          "exactly one of payloadJson and payloadBytes must be set but "
              + (payloadJson == null ? "neither was" : "both were")
              + "; set one of them");
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
      JsonCodec.findMistake(payloadJson)
          .or(() -> JsonCodec.findUnkeepable(payloadJson))
          .ifPresent(mistake -> problems.add("payloadJson " + mistake));
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
