package outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an envelope refuses, before the database does. */
class EnvelopeRulesTest {

  /** A text field, by the way it is set. */
  private interface Field {
    EventEnvelope.Builder set(EventEnvelope.Builder builder, String text);
  }

  private static EventEnvelope.Builder valid() {
    return EventEnvelope.builder("A").payloadJson("{}");
  }

  private static void refused(UnaryOperator<EventEnvelope.Builder> change, String... words) {
    assertThatThrownBy(() -> change.apply(valid()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("EventEnvelope: ")
        .hasMessageContainingAll(words);
  }

  static Stream<Arguments> limits() {
    return Stream.of(
        Arguments.of("eventId", 36, (Field) EventEnvelope.Builder::eventId),
        Arguments.of("aggregateType", 64, (Field) EventEnvelope.Builder::aggregateType),
        Arguments.of("aggregateId", 128, (Field) EventEnvelope.Builder::aggregateId),
        Arguments.of("tenantId", 64, (Field) EventEnvelope.Builder::tenantId));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void aTextMayBeAsLongAsItsColumnAndNoLonger(String name, int max, Field field) {
    field.set(valid(), "x".repeat(max)).build();
    refused(
        b -> field.set(b, "x".repeat(max + 1)),
        name + " must have " + max + " characters or fewer but was " + (max + 1));
    refused(b -> field.set(b, "a\0b"), name + " must have no NUL character");
  }

  @Test
  void theTypeMayHave128Characters() {
    assertThat(EventEnvelope.ofJson("x".repeat(128), "1").eventType()).hasSize(128);
    assertThatThrownBy(() -> EventEnvelope.ofJson("x".repeat(129), "1"))
        .hasMessageContaining("eventType must have 128 characters or fewer but was 129");
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", " ", "\t\n"})
  void theTypeMustBeSetAndNotBlank(String type) {
    assertThatThrownBy(() -> EventEnvelope.ofJson(type, "1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("eventType must be set and not blank");
    assertThatThrownBy(() -> EventEnvelope.ofJson(StringEventType.of(type), "1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("eventType must be set and not blank");
  }

  @Test
  void anIdThatIsSetMustNotBeBlank() {
    refused(b -> b.eventId(" "), "eventId must be set and not blank");
    assertThat(valid().eventId(null).build().eventId()).hasSize(26);
  }

  static Stream<Arguments> keys() {
    return limits().filter(limit -> !limit.get()[0].equals("tenantId"));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void aKeyHasNoWhiteSpaceAtItsEnds(String name, int max, Field field) {
    for (String text : new String[] {"a ", " a", "a\n", "\ta", "a\u3000"}) {
      refused(
          b -> field.set(b, text),
          name + " must have no white space at its ends but was '" + text + "'");
    }
    field.set(valid(), "a b").build();
  }

  @Test
  void exactlyOnePayloadMustBeSet() {
    refused(b -> b.payloadJson(null), "exactly one of payloadJson and payloadBytes", "neither was");
    refused(
        b -> b.payloadBytes(new byte[0]),
        "exactly one of payloadJson and payloadBytes",
        "both were");
    assertThat(valid().payloadJson(null).payloadBytes(new byte[0]).build().payloadBytes())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "{", "{]", "nul", "{\"a\":}", "'a'", "01", "{} {}"})
  void aPayloadThatIsNotJsonIsRefused(String payload) {
    refused(b -> b.payloadJson(payload), "payloadJson must be JSON");
  }

  @Test
  void bytesMayBeAMegabyteAndNoMore() {
    int max = EventEnvelope.MAX_PAYLOAD_BYTES;
    assertThat(max).isEqualTo(1_048_576);
    valid().payloadJson(null).payloadBytes(new byte[max]).build();
    refused(
        b -> b.payloadJson(null).payloadBytes(new byte[max + 1]),
        "payload must have 1048576 bytes or fewer but was 1048577");
  }

  @Test
  void jsonIsMeasuredInUtf8() {
    int max = EventEnvelope.MAX_PAYLOAD_BYTES;
    valid().payloadJson('"' + "x".repeat(max - 2) + '"').build();
    refused(b -> b.payloadJson('"' + "x".repeat(max - 1) + '"'), "but was 1048577");
    valid().payloadJson('"' + "\u20ac".repeat((max - 2) / 3) + '"').build();
    refused(b -> b.payloadJson('"' + "\u20ac".repeat(max / 3) + '"'), "payload must have");
  }

  @Test
  void aDelayIsGivenInOneWay() {
    Instant moment = Instant.parse("2026-01-01T00:00:00Z");
    assertThat(valid().availableAt(moment).build().availableAt()).isEqualTo(moment);
    assertThat(valid().deliverAfter(Duration.ZERO).build().isImmediate()).isFalse();
    refused(
        b -> b.availableAt(moment).deliverAfter(Duration.ZERO),
        "availableAt and deliverAfter are both set");
    refused(b -> b.deliverAfter(Duration.ofNanos(-1)), "deliverAfter must be zero or more");
  }

  @Test
  void anOrderedEventNeedsItsAggregate() {
    refused(b -> b.ordered(), "an ordered event must have aggregateType and aggregateId");
    refused(b -> b.ordered().aggregateId("1"), "an ordered event");
    refused(b -> b.ordered().aggregateType("A"), "an ordered event");
    assertThat(valid().ordered().aggregateType("A").aggregateId("1").build().isOrdered()).isTrue();
  }

  @Test
  void headersHaveNamesAndValues() {
    refused(b -> b.header("h", null), "header h must not be null");
    refused(b -> b.headers(Collections.singletonMap(null, "1")), "header null must not be null");
  }

  @ParameterizedTest
  @CsvSource({"0x78, 1", "0x20ac, 3", "0x1, 6"})
  void headersAreMeasuredAsJsonInUtf8(int codePoint, int bytes) {
    String character = Character.toString(codePoint);
    int max = EventEnvelope.MAX_HEADERS_BYTES;
    assertThat(max).isEqualTo(65_536);
    int around = "{'':'','h':''}".length();
    int count = (max - around) / bytes;
    String rest = "y".repeat(max - around - count * bytes);
    valid().header("", rest).header("h", character.repeat(count)).build();
    refused(
        b -> b.header("", rest + "y").header("h", character.repeat(count)),
        "headers must have 65536 bytes or fewer as JSON but was 65537");
    refused(
        b -> b.header("", rest + "y").header(character.repeat(count) + "h", ""),
        "headers must have 65536 bytes or fewer as JSON but was 65537");
  }

  @Test
  void allMistakesAreNamedAtOnce() {
    assertThatThrownBy(
            () ->
                EventEnvelope.builder(" ")
                    .eventId("x".repeat(37))
                    .aggregateType("x".repeat(65))
                    .aggregateId("x".repeat(129))
                    .tenantId("x".repeat(65))
                    .header("h", null)
                    .deliverAfter(Duration.ofMillis(-1))
                    .availableAt(Instant.EPOCH)
                    .payloadJson("{")
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(
            "eventType must",
            "eventId must",
            "aggregateType must",
            "aggregateId must",
            "tenantId must",
            "header h must",
            "deliverAfter must",
            "availableAt and deliverAfter",
            "payloadJson must be JSON");
  }
}
