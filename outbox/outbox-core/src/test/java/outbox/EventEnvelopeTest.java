package outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import outbox.model.OutboxEvent;

/** What an envelope holds, and that nobody can change it. */
class EventEnvelopeTest {

  enum UserEvents implements EventType {
    USER_CREATED
  }

  enum Aggregates implements AggregateType {
    USER
  }

  @Test
  void everyFieldComesBackAsItWasSet() {
    Instant at = Instant.parse("2026-03-04T05:06:07.123456Z");
    EventEnvelope event =
        EventEnvelope.builder(UserEvents.USER_CREATED)
            .eventId("my-id")
            .occurredAt(at)
            .aggregateType(Aggregates.USER)
            .aggregateId("123")
            .tenantId("tenant")
            .header("a", "1")
            .header("b", "2")
            .payloadJson("{\"name\":\"John\"}")
            .deliverAfter(Duration.ofMinutes(1))
            .ordered()
            .build();
    assertThat(event.eventId()).isEqualTo("my-id");
    assertThat(event.eventType()).isEqualTo("USER_CREATED");
    assertThat(event.occurredAt()).isEqualTo(at);
    assertThat(event.aggregateType()).isEqualTo("USER");
    assertThat(event.aggregateId()).isEqualTo("123");
    assertThat(event.tenantId()).isEqualTo("tenant");
    assertThat(event.headers()).containsExactly(Map.entry("a", "1"), Map.entry("b", "2"));
    assertThat(event.payloadJson()).isEqualTo("{\"name\":\"John\"}");
    assertThat(event.payloadBytes()).isNull();
    assertThat(event.deliverAfter()).isEqualTo(Duration.ofMinutes(1));
    assertThat(event.availableAt()).isNull();
    assertThat(event.isOrdered()).isTrue();
    assertThat(event.isImmediate()).isFalse();
  }

  @Test
  void whatIsNotSetHasItsDefault() {
    Instant before = Instant.now().minusMillis(1);
    EventEnvelope event = EventEnvelope.ofJson("UserCreated", "{}");
    assertThat(event.eventId()).hasSize(26).matches("[0-9A-HJKMNP-TV-Z]+");
    assertThat(event.occurredAt()).isBetween(before, Instant.now().plusMillis(1));
    assertThat(event.aggregateType()).isNull();
    assertThat(event.aggregateId()).isNull();
    assertThat(event.tenantId()).isNull();
    assertThat(event.headers()).isEmpty();
    assertThat(event.payloadBytes()).isNull();
    assertThat(event.availableAt()).isNull();
    assertThat(event.deliverAfter()).isNull();
    assertThat(event.isImmediate()).isTrue();
    assertThat(event.isOrdered()).isFalse();
  }

  @Test
  void idsOfOneThreadGrow() {
    String before = "";
    for (int i = 0; i < 1_000; i++) {
      String id = EventEnvelope.ofJson("UserCreated", "{}").eventId();
      assertThat(id).isGreaterThan(before);
      before = id;
    }
  }

  @Test
  void aTypeMayBeAnEnumATextOrMadeAtRunTime() {
    assertThat(EventEnvelope.ofJson(UserEvents.USER_CREATED, "1").eventType())
        .isEqualTo("USER_CREATED");
    assertThat(EventEnvelope.ofJson(StringEventType.of("Dynamic"), "1").eventType())
        .isEqualTo("Dynamic");
    EventEnvelope custom =
        EventEnvelope.builder("Text")
            .aggregateType(StringAggregateType.of("Custom"))
            .payloadJson("1")
            .build();
    assertThat(custom.aggregateType()).isEqualTo("Custom");
    assertThat(StringEventType.of("A")).isEqualTo(new StringEventType("A"));
    assertThat(StringAggregateType.of("A")).isEqualTo(new StringAggregateType("A"));
    assertThat(StringEventType.of("A").name()).isEqualTo("A");
  }

  @Test
  void timeIsKeptInMicroseconds() {
    Instant nanos = Instant.parse("2026-03-04T05:06:07.123456789Z");
    Instant before1970 = Instant.parse("1969-12-31T23:59:59.999999999Z");
    assertThat(at(nanos)).isEqualTo(Instant.parse("2026-03-04T05:06:07.123456Z"));
    assertThat(at(before1970)).isEqualTo(Instant.parse("1969-12-31T23:59:59.999999Z"));
  }

  private static Instant at(Instant instant) {
    return EventEnvelope.builder("A").payloadJson("1").occurredAt(instant).build().occurredAt();
  }

  @Test
  void bytesAreCopiedInAndOut() {
    byte[] bytes = {1, 2, 3};
    EventEnvelope event = EventEnvelope.builder("A").payloadBytes(bytes).build();
    bytes[0] = 9;
    assertThat(event.payloadBytes()).containsExactly(1, 2, 3);
    event.payloadBytes()[1] = 9;
    assertThat(event.payloadBytes()).containsExactly(1, 2, 3);
    assertThat(event.payloadJson()).isNull();
  }

  @Test
  void headersAreCopiedAndCannotBeChanged() {
    Map<String, String> headers = new LinkedHashMap<>(Map.of("a", "1"));
    EventEnvelope.Builder builder =
        EventEnvelope.builder("A").payloadJson("1").header("old", "x").headers(headers);
    headers.put("b", "2");
    EventEnvelope event = builder.build();
    builder.header("c", "3");
    assertThat(event.headers()).isEqualTo(Map.of("a", "1"));
    assertThatThrownBy(() -> event.headers().put("d", "4"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(event.withHeader("e", "5").headers()).isEqualTo(Map.of("a", "1", "e", "5"));
    assertThat(event.headers()).isEqualTo(Map.of("a", "1"));
  }

  @Test
  void oneBuilderMakesSeveralEvents() {
    EventEnvelope.Builder builder = EventEnvelope.builder("A").payloadJson("1");
    assertThat(builder.build().eventId()).isNotEqualTo(builder.build().eventId());
  }

  @Test
  void thePayloadIsNotPrinted() {
    EventEnvelope event = EventEnvelope.builder("A").eventId("1").payloadJson("\"secret\"").build();
    assertThat(event).hasToString("EventEnvelope[A 1]");
  }

  @Test
  void aStoredPayloadIsJsonInBothCases() {
    EventEnvelope json = EventEnvelope.ofJson("A", " {\"a\" : 1} ");
    EventEnvelope bytes = EventEnvelope.builder("A").payloadBytes(new byte[] {-1, 0, 1}).build();
    assertThat(json.storedPayload()).isEqualTo(" {\"a\" : 1} ");
    assertThat(bytes.storedPayload()).isEqualTo("\"/wAB\"");
  }

  @Test
  void aRowBecomesTheEventThatWasStored() {
    Instant at = Instant.parse("2026-03-04T05:06:07.123456Z");
    OutboxEvent row =
        new OutboxEvent(
            "1", "A", "T", "2", "t", "\"/wAB\"", "{\"h\":\"1\"}", 3, at, OutboxEvent.BASE64);
    EventEnvelope event = EventEnvelope.of(row);
    assertThat(event.eventId()).isEqualTo("1");
    assertThat(event.eventType()).isEqualTo("A");
    assertThat(event.aggregateType()).isEqualTo("T");
    assertThat(event.aggregateId()).isEqualTo("2");
    assertThat(event.tenantId()).isEqualTo("t");
    assertThat(event.occurredAt()).isEqualTo(at);
    assertThat(event.headers()).isEqualTo(Map.of("h", "1"));
    assertThat(event.payloadBytes()).containsExactly(-1, 0, 1);
  }

  @Test
  void aRowThatCannotBeDecodedIsRefused() {
    assertThatThrownBy(() -> EventEnvelope.of(row("{}", "[]", null)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> EventEnvelope.of(row("\"not base64!\"", null, OutboxEvent.BASE64)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> EventEnvelope.of(row("{}", null, OutboxEvent.BASE64)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(EventEnvelope.of(row("{}", null, null)).headers()).isEmpty();
  }

  private static OutboxEvent row(String payload, String headers, String encoding) {
    return new OutboxEvent(
        "1", "A", null, null, null, payload, headers, 0, Instant.EPOCH, encoding);
  }
}
