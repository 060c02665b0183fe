package eventlog.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eventlog.EventLogEntry;
import eventlog.Events;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fields masked by name, in texts and in maps. */
class RedactionTest {
  private static final Redaction REDACTION =
      Redaction.ofFields("password", "cardNumber", "card/number");

  private static String payload(String text) {
    EventLogEntry event = Events.builder("e").requestPayload(text).responsePayload(text).build();
    EventLogEntry redacted = REDACTION.redact(event);
    assertThat(redacted.responsePayload()).isEqualTo(redacted.requestPayload());
    return String.valueOf(redacted.requestPayload());
  }

  private static Map<String, Object> map(Map<String, Object> map) {
    EventLogEntry event = Events.builder("e").metadata(map).identifiers(map).build();
    EventLogEntry redacted = REDACTION.redact(event);
    assertThat(redacted.identifiers()).isEqualTo(redacted.metadata());
    return redacted.metadata();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // the field, whatever its value and its case
        "{\"password\":\"s3cret\",\"user\":\"a\"} | {\"password\":\"***\",\"user\":\"a\"}",
        "{\"PassWord\":12} | {\"PassWord\":\"***\"}",
        "{\"password\":{\"old\":\"a\",\"new\":[1,{}]},\"n\":1} | {\"password\":\"***\",\"n\":1}",
        "{\"password\":[\"a\",\"b\"]} | {\"password\":\"***\"}",
        "{\"password\":null} | {\"password\":null}",
        "{\"password\":\"a\",\"password\":\"b\"} | {\"password\":\"***\",\"password\":\"***\"}",
        // at any depth
        "[{\"a\":[{\"cardNumber\":\"4111\"}]}] | [{\"a\":[{\"cardNumber\":\"***\"}]}]",
        // written with escapes
        "{\"pass\\u0077ord\":\"s3cret\"} | {\"password\":\"***\"}",
        // numbers keep their digits
        "{\"password\":1,\"price\":1.10,\"big\":12345678901234567890.10} "
            + "| {\"password\":\"***\",\"price\":1.10,\"big\":12345678901234567890.10}",
        // other names and plain words stay
        "{\"userPassword\":\"a\",\"hint\":\"your password\"} "
            + "| {\"userPassword\":\"a\",\"hint\":\"your password\"}",
        "{ \"user\" : \"a\" } | { \"user\" : \"a\" }",
        // what is no JSON, or not all of it
        "data: {\"pass\\u0077ord\":\"s3cret\"} | ***",
        "data: {\"card\\/number\":\"4111\"} | ***",
        "user=a&pass%77ord=s3cret | ***",
        "user=a&card%2Fnumber=4111 | ***",
        "100% of a+b \\d | 100% of a+b \\d",
        "user=a&password=s3cret | ***",
        "<password>s3cret</password> | ***",
        "{\"user\":\"a\",\"password\":\"s3c | ***",
        "{\"user\":\"a\",\"pass\\u0077ord\":\"s3c | ***",
        "{\"user\":\"a\",\"na | {\"user\":\"a\",\"na",
        "plain words | plain words",
        "passwords | passwords"
      })
  void payloads(String text, String expected) {
    assertThat(payload(text)).isEqualTo(expected);
  }

  @Test
  void jsonThatIsTheTextOfAValueIsLookedIntoAsWell() {
    assertThat(payload("{\"body\":\"{\\\"password\\\":\\\"s3cret\\\"}\"}"))
        .isEqualTo("{\"body\":\"{\\\"password\\\":\\\"***\\\"}\"}");
    assertThat(payload("\"{\\\"password\\\":\\\"s3cret\\\"}\""))
        .isEqualTo("\"{\\\"password\\\":\\\"***\\\"}\"");
    assertThat(map(Map.of("body", "[{\"password\":\"s3cret\"}]", "cut", "{\"password\":\"s3")))
        .isEqualTo(Map.of("body", "[{\"password\":\"***\"}]", "cut", "***"));
  }

  @Test
  void nestingWithoutEndIsMaskedAsAWhole() {
    assertThat(payload("[".repeat(5000) + "{\"password\":1}")).isEqualTo("***");
  }

  @Test
  void mapsAtAnyDepth() {
    Map<String, Object> deep = new LinkedHashMap<>();
    deep.put("Password", "s3cret");
    deep.put("nothing", null);
    deep.put("list", List.of(Map.of("cardNumber", 4111L), "your password", 7));

    assertThat(map(Map.of("a", deep, "password", Map.of("x", 1))).toString())
        .doesNotContain("s3cret", "4111")
        .contains("Password=***", "nothing=null", "[{cardNumber=***}, your password, 7]")
        .contains("password=***");
  }

  @Test
  void textsInMapsAreMaskedAsTextsThatPeopleRead() {
    assertThat(
            map(
                Map.of(
                    "stackTrace",
                    "java.io.IOException: login?password=s3cret&user=a\n\tat shop.Orders",
                    "lines",
                    List.of("password: s3cret", "your password", "[main] cardNumber=4111"))))
        .isEqualTo(
            Map.of(
                "stackTrace",
                "java.io.IOException: login?password=***&user=a\n\tat shop.Orders",
                "lines",
                List.of("password: ***", "your password", "[main] cardNumber=***")));
  }

  /** An object of an application, as it may be put into metadata. */
  record Card(BigDecimal limit, String cardNumber) {}

  @Test
  void objectsOfTheApplicationAreLookedIntoAsTheirJson() {
    assertThat(
            map(
                Map.of(
                    "card",
                    new Card(new BigDecimal("1.10"), "4111"),
                    "cards",
                    new Card[] {new Card(BigDecimal.ONE, "5")})))
        .isEqualTo(
            Map.of(
                "card",
                Map.of("limit", new BigDecimal("1.10"), "cardNumber", "***"),
                "cards",
                List.of(Map.of("limit", 1, "cardNumber", "***"))));
  }

  @Test
  void whatContainsItselfIsNotHandedOn() {
    Map<String, Object> circle = new HashMap<>();
    circle.put("self", new ArrayList<>(List.of(circle)));

    assertThatThrownBy(() -> map(circle)).hasMessageContaining("nested too deep");
  }

  @Test
  void anEventWithNothingToHideIsHandedOnAsItIs() {
    EventLogEntry event =
        Events.builder("e").requestPayload("{\"a\":1}").metadata(Map.of("b", List.of(1))).build();

    assertThat(REDACTION.redact(event)).isSameAs(event);
    assertThat(Redaction.ofFields().redact(event)).isSameAs(event);
  }

  @Test
  void whatWasRedactedStaysAsItIs() {
    EventLogEntry event =
        Events.builder("e")
            .requestPayload("{\"password\":{\"a\":1}}")
            .responsePayload("password=1")
            .metadata(Map.of("cardNumber", 1))
            .build();
    EventLogEntry once = REDACTION.redact(event);

    assertThat(REDACTION.redact(once)).isEqualTo(once);
    assertThat(once.idempotencyKey()).isEqualTo(event.idempotencyKey());
    assertThat(once.spanId()).isEqualTo(event.spanId());
    assertThat(once.eventTimestamp()).isEqualTo(event.eventTimestamp());
  }

  @Test
  void oneAfterTheOther() {
    Redaction both = REDACTION.andThen(event -> event.toBuilder().accountId("***").build());
    EventLogEntry event =
        Events.builder("e").accountId("a-1").requestPayload("{\"password\":1}").build();

    assertThat(both.redact(event).accountId()).isEqualTo("***");
    assertThat(both.redact(event).requestPayload()).isEqualTo("{\"password\":\"***\"}");
  }

  @Test
  void aBlankNameIsRefused() {
    assertThatThrownBy(() -> Redaction.ofFields("password", " "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must not be blank but are [password,  ]");
  }

  @Test
  void anEscapedSlashInANameHidesNothing() {
    Redaction redaction = Redaction.ofFields("card/number");
    EventLogEntry event =
        Events.builder("e").requestPayload("{\"card\\/number\":\"4111\"}").build();

    assertThat(redaction.redact(event).requestPayload()).isEqualTo("{\"card/number\":\"***\"}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "https://api/login?user=a&password=s3cret&x=1 | https://api/login?user=a&password=***&x=1",
        "login?pass%77ord=s3cret | login?pass%77ord=***",
        "GET /login?password=s3cret&user=a failed | GET /login?password=***&user=a failed",
        "HTTP 400: {\"password\":\"s3cret\",\"user\":\"a\"} | HTTP 400: {\"password\":\"***\",\"user\":\"a\"}",
        "HTTP 400: {\"password\":{\"old\":\"s3cret\"}} | HTTP 400: {\"password\":***",
        "refused {\"pass\\u0077ord\":\"s3cret\"} | ***",
        "refused \\\"password\\\":\\\"s3cret\\\" | ***",
        "Password: my s3cret phrase | Password: ***",
        "password = 's3cret' user = 'a' | password = '***' user = 'a'",
        "{\"password\":\"s3cret\"} | {\"password\":\"***\"}",
        "{\"password\":\"s3c | ***",
        "<password>s3cret</password> | ***",
        "The password was changed | The password was changed",
        "passwords: three | passwords: three"
      })
  void texts(String text, String expected) {
    EventLogEntry event =
        Events.builder("e").summary(text).result(text).errorMessage(text).endpoint(text).build();

    EventLogEntry redacted = REDACTION.redact(event);

    assertThat(redacted.errorMessage()).isEqualTo(expected);
    assertThat(redacted.endpoint()).isEqualTo(expected);
    assertThat(redacted.summary()).isEqualTo(expected);
    assertThat(redacted.result()).isEqualTo(expected);
    assertThat(redacted.idempotencyKey()).isEqualTo("e");
    assertThat(REDACTION.redact(redacted)).isEqualTo(redacted);
  }
}
