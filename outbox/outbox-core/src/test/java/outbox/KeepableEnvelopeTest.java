package outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.model.Claim;
import outbox.model.OutboxEvent;

/** What is well-formed and yet no table would hand back as it was: refused when it is built. */
class KeepableEnvelopeTest {

  private static EventEnvelope.Builder valid() {
    return EventEnvelope.builder("A").payloadJson("{}");
  }

  private static void refused(EventEnvelope.Builder builder, String... words) {
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("EventEnvelope: ")
        .hasMessageContainingAll(words);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\ud800", "\udc00", "a\ud83d", "\ud83da", "\ude00\ud83d", "\\ud83d\ude00"})
  void halfACharacterIsRefusedWhereverItStands(String half) {
    refused(valid().eventId(half), "eventId must have whole characters");
    refused(EventEnvelope.builder(half).payloadJson("1"), "eventType must have whole characters");
    refused(valid().aggregateType(half), "aggregateType must have whole characters");
    refused(valid().aggregateId(half), "aggregateId must have whole characters");
    refused(valid().tenantId(half), "tenantId must have whole characters");
    refused(valid().header("h", half), "header h must have whole characters");
    refused(valid().header(half, "v"), "header name must have whole characters");
    refused(valid().payloadJson('"' + half + '"'), "payloadJson must have whole characters");
    refused(valid().payloadJson("{\"" + half + "\":1}"), "payloadJson must have whole characters");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\\ud800",
        "\\uDC00",
        "\\ud83d\\n",
        "\\ud83d\\u0041",
        "\\ude00\\ud83d",
        "\\\\\\ud800",
        "\ud83d" + "\\ude00"
      })
  void halfACharacterIsRefusedAsAnEscapeToo(String half) {
    refused(
        valid().payloadJson("[\"" + half + "\"]"),
        "payloadJson must have whole characters but half a surrogate pair is at position");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"\ud83d\ude00\"",
        "\"\\ud83d\\ude00\"",
        "\"\\\\ud800\"",
        "\"\\u0000\"",
        "\"\\uffff\"",
        "{\"e9999999999\":\"1e9999999999\"}",
        "[1e999999999,1E-999999999,1e+000000000000001,true,false,\"\\\"e\"]"
      })
  void wholeCharactersAndNumbersInRangeAreTaken(String json) {
    assertThat(valid().payloadJson(json).build().payloadJson()).isEqualTo(json);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e1000000000", "[-1.5E-1234567890]", "{\"a\":1e+01000000000}"})
  void numbersBeyondEveryRangeAreRefused(String json) {
    refused(valid().payloadJson(json), "payloadJson must have exponents of 9 digits or fewer");
  }

  @Test
  void headersMayHaveAnyWholeCharacter() {
    Map<String, String> odd = Map.of("a\0b", "c\0\n\"\\\ud83d\ude00", "", "");
    assertThat(valid().headers(odd).build().headers()).isEqualTo(odd);
  }

  @Test
  void momentsMustBeInTheYearsThatDatabasesHave() {
    Instant first = Instant.parse("0001-01-01T00:00:00Z");
    Instant last = Instant.parse("9999-12-31T23:59:59.999999Z");
    for (Instant moment : new Instant[] {first, last}) {
      valid().occurredAt(moment).build();
      valid().availableAt(moment).build();
    }
    for (Instant moment :
        new Instant[] {first.minusNanos(1), last.plusNanos(1_000), Instant.MIN, Instant.MAX}) {
      refused(valid().occurredAt(moment), "occurredAt must be 0001-01-01T00:00:00Z to 9999-12-31");
      refused(valid().availableAt(moment), "availableAt must be 0001-01-01T00:00:00Z to 9999");
    }
  }

  @Test
  void aDelayIsACenturyAtMost() {
    valid().deliverAfter(Duration.ofDays(36_500)).build();
    refused(
        valid().deliverAfter(Duration.ofDays(36_500).plusNanos(1)),
        "deliverAfter must be 36500 days or less");
    refused(valid().deliverAfter(Duration.ofSeconds(Long.MAX_VALUE)), "deliverAfter must");
  }

  @Test
  void aClaimedRowBecomesAnEventThatKnowsWhetherItIsOrdered() {
    OutboxEvent row = new OutboxEvent("1", "A", "T", "7", null, "{}", null, 0, Instant.EPOCH, null);
    assertThat(
            EventEnvelope.of(new Claim(row, 1, false, null, null, Duration.ZERO, true)).isOrdered())
        .isTrue();
    assertThat(
            EventEnvelope.of(new Claim(row, 1, false, null, null, Duration.ZERO, false))
                .isOrdered())
        .isFalse();
  }
}
