package eventlog.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eventlog.EventLogEntry;
import eventlog.Events;
import eventlog.LossReason;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class EntryJsonTest {
  private static final JsonMapper JACKSON = JsonMapper.builder().build();
  private static final int LARGE = 1 << 20;

  private static String write(EventLogEntry entry) {
    JsonBuffer json = new JsonBuffer(1);
    new EntryWriter(LARGE).write(entry, json);
    return new String(json.array(), 0, json.length(), StandardCharsets.UTF_8);
  }

  private static EventLogEntry read(String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return new EntryReader().read(bytes, 0, bytes.length);
  }

  private static EventLogEntry full() {
    return Events.builder("key")
        .accountId("acc")
        .spanId("00f067aa0ba902b7")
        .parentSpanId("p")
        .spanLinks(List.of("l1", "l2"))
        .batchId("b")
        .stepSequence(7)
        .stepName("reserve")
        .identifiers(Map.of("orderId", "42"))
        .metadata(Map.of("nested", Map.of("list", List.of(1, "two", true))))
        .eventTimestamp(Instant.parse("2026-11-15T10:00:00.123456789Z"))
        .executionTimeMs(1234567890123L)
        .endpoint("/orders")
        .httpMethod("POST")
        .httpStatusCode(201)
        .errorCode("E1")
        .errorMessage("none")
        .requestPayload("{\"a\":\"b\\n\"}")
        .responsePayload("é€😀")
        .build();
  }

  @Test
  void allTwentyNineFieldsComeBack() {
    EventLogEntry entry = full();

    assertThat(read(write(entry))).isEqualTo(entry);
    assertThat(JACKSON.readTree(write(entry)).size()).isEqualTo(29);
  }

  @Test
  void whatIsNullIsLeftOut() {
    JsonNode tree = JACKSON.readTree(write(Events.event("k")));

    assertThat(tree.has("accountId")).isFalse();
    assertThat(tree.has("metadata")).isFalse();
    assertThat(tree.size()).isEqualTo(13);
  }

  @Test
  void anotherReaderSeesTheSameText() {
    Random random = new Random(1);
    for (int i = 0; i < 2000; i++) {
      StringBuilder text = new StringBuilder("x");
      for (int j = random.nextInt(40); j > 0; j--) {
        text.appendCodePoint(
            switch (random.nextInt(4)) {
              case 0 -> random.nextInt(0x80);
              case 1 -> random.nextInt(0x800);
              case 2 -> random.nextInt(0xD800);
              default -> 0x10000 + random.nextInt(0xFFFFF);
            });
      }
      String json = write(Events.builder("k").summary(text.toString()).build());

      assertThat(JACKSON.readTree(json).path("summary").asString()).isEqualTo(text.toString());
      assertThat(json).doesNotContain("\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\uD800", "a\uDC00b", "\uD83D", "\uDE00\uD83D"})
  void halfACharacterComesBack(String text) {
    assertThat(read(write(Events.builder("k").summary(text).build())).summary()).isEqualTo(text);
  }

  @Test
  void momentsAreWrittenAsTheirTextForm() {
    Random random = new Random(2);
    for (int i = 0; i < 20_000; i++) {
      long seconds = random.nextLong(-100_000_000L, 260_000_000_000L);
      int nanos =
          switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> random.nextInt(1000) * 1_000_000;
            case 2 -> random.nextInt(1_000_000) * 1_000;
            default -> random.nextInt(1_000_000_000);
          };
      Instant moment = Instant.ofEpochSecond(seconds, nanos);
      JsonBuffer json = new JsonBuffer(64);
      Timestamps.write(moment, json);

      assertThat(new String(json.array(), 0, json.length(), StandardCharsets.US_ASCII))
          .isEqualTo('"' + moment.toString() + '"');
    }
  }

  @Test
  void anyValueInAMapIsWritten() {
    Map<String, Object> values = new HashMap<>();
    values.put("null", null);
    values.put("long", Long.MIN_VALUE);
    values.put("double", 0.1);
    values.put("nan", Double.NaN);
    values.put("big", new BigDecimal("1e100"));
    values.put("moment", Instant.EPOCH);
    values.put("uuid", new UUID(1, 2));
    values.put("enum", LossReason.QUEUE_FULL);
    values.put("array", new int[] {1, 2});
    values.put("empty", Map.of());
    values.put("none", List.of());
    JsonNode tree =
        JACKSON.readTree(write(Events.builder("k").metadata(values).build())).path("metadata");

    assertThat(tree.path("null").isNull()).isTrue();
    assertThat(tree.path("long").asLong()).isEqualTo(Long.MIN_VALUE);
    assertThat(tree.path("double").asDouble()).isEqualTo(0.1);
    assertThat(tree.path("nan").asString()).isEqualTo("NaN");
    assertThat(tree.path("big").decimalValue()).isEqualByComparingTo("1e100");
    assertThat(tree.path("moment").asString()).isEqualTo("1970-01-01T00:00:00Z");
    assertThat(tree.path("uuid").asString()).isEqualTo(new UUID(1, 2).toString());
    assertThat(tree.path("enum").asString()).isEqualTo("QUEUE_FULL");
    assertThat(tree.path("array").size()).isEqualTo(2);
    assertThat(tree.path("empty").isEmpty()).isTrue();
    assertThat(tree.path("none").isArray()).isTrue();
  }

  @Test
  void numbersComeBackWithAllTheirDigits() {
    Map<String, Object> numbers = new LinkedHashMap<>();
    numbers.put("price", new BigDecimal("1.10"));
    numbers.put("exact", new BigDecimal("0.1234567890123456789012345"));
    numbers.put("large", new BigDecimal("1E+400"));
    numbers.put("double", 0.1);
    numbers.put("whole", Long.MAX_VALUE);
    String json = write(Events.builder("k").metadata(numbers).build());

    assertThat(write(read(json))).isEqualTo(json);
  }

  @Test
  void unknownFieldsAreSkipped() {
    String json = write(Events.event("k")).replaceFirst("\\{", "{\"new\":{\"deep\":[1,{}]},");

    assertThat(read(json).idempotencyKey()).isEqualTo("k");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "[]", "1", "{", "{}", "{} {}", "{\"eventType\":\"NONE\"}", "{\"x\":1}x"})
  void whatIsNoEventIsRefused(String json) {
    assertThatThrownBy(() -> read(json)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void exactlyTheLimitIsAllowed() {
    EventLogEntry entry = Events.event("k");
    int length = write(entry).length();
    JsonBuffer json = new JsonBuffer(1).raw('[');

    new EntryWriter(length).write(entry, json);
    assertThat(json.length()).isEqualTo(length + 1);

    assertThatThrownBy(() -> new EntryWriter(length - 1).write(entry, json))
        .isInstanceOfSatisfying(
            UnwritableEntryException.class,
            e -> assertThat(e.reason()).isEqualTo(LossReason.ENTRY_TOO_LARGE));
    assertThat(json.length()).isEqualTo(length + 1);
  }

  @Test
  void aTextFarBeyondTheLimitIsNotEvenCopied() {
    EventLogEntry entry = Events.builder("k").requestPayload("x".repeat(10_000_000)).build();
    JsonBuffer json = new JsonBuffer(1);

    assertThatThrownBy(() -> new EntryWriter(1000).write(entry, json))
        .isInstanceOf(UnwritableEntryException.class);
    assertThat(json.array().length).isLessThan(10_000);
  }

  @Test
  void aBufferGrowsAgainAfterAnEventThatWasTooLarge() {
    JsonBuffer json = new JsonBuffer(1);
    byte[] large = new byte[100_000];
    Arrays.fill(large, (byte) ' ');
    assertThatThrownBy(
            () ->
                new EntryWriter(100)
                    .write(Events.builder("k").summary("y".repeat(500)).build(), json))
        .isInstanceOf(UnwritableEntryException.class);

    json.raw(large);

    assertThat(json.length()).isEqualTo(100_000);
  }

  @Test
  void halfASurrogatePairIsReadAgain() {
    EventLogEntry entry =
        Events.builder("k")
            .summary("cut \ud83d")
            .metadata(Map.of("name \ud83d", "value \udd25", "\udd25", Map.of("\ud83d\ud83d", 1)))
            .build();

    EventLogEntry again = read(write(entry));

    assertThat(again.summary()).isEqualTo("cut \ud83d");
    assertThat(again.metadata())
        .isEqualTo(Map.of("name \ufffd", "value \udd25", "\ufffd", Map.of("\ufffd\ufffd", 1)));
  }

  @ParameterizedTest
  @MethodSource("unreadable")
  void whatTheReaderWouldNotTakeIsRefused(Object value) {
    EventLogEntry entry = Events.builder("k").metadata(Map.of("value", value)).build();

    assertThatThrownBy(() -> write(entry))
        .isInstanceOfSatisfying(
            UnwritableEntryException.class,
            e -> assertThat(e.reason()).isEqualTo(LossReason.NOT_SERIALIZABLE));
  }

  static List<Object> unreadable() {
    return List.of(
        Map.of("n".repeat(50_001), 1),
        Map.of("€".repeat(16_667), 1),
        Map.of("\ud83d\ude00".repeat(12_500) + "n", 1),
        Map.of("\ud83d".repeat(16_667), 1),
        new BigInteger("1".repeat(1001)),
        new BigDecimal("1".repeat(500) + "." + "1".repeat(501)),
        List.of(new BigInteger("-" + "9".repeat(1000))),
        new BigDecimal(BigInteger.TWO, Integer.MIN_VALUE),
        new BigDecimal(BigInteger.TWO, Integer.MAX_VALUE),
        new Holder(new BigDecimal(BigInteger.TWO, Integer.MIN_VALUE)),
        new Holder(new BigInteger("1".repeat(1001))),
        new Holder(Map.of("n".repeat(50_001), 1)));
  }

  /** An object of an application. */
  record Holder(Object held) {}

  @Test
  void whateverNumberIsWrittenIsReadAgain() {
    int written = 0;
    for (int digits : new int[] {1, 2, 499, 500, 501, 900, 986, 987, 988, 989, 990, 1000}) {
      for (int scale : new int[] {-1_000_000_000, -7, 0, 7, 1_000_000_000}) {
        BigDecimal number = new BigDecimal(new BigInteger("-" + "7".repeat(digits)), scale);
        EventLogEntry entry = Events.builder("k").metadata(Map.of("value", number)).build();
        String json;
        try {
          json = write(entry);
        } catch (UnwritableEntryException e) {
          continue;
        }
        written++;
        assertThat(new BigDecimal(String.valueOf(read(json).metadata().get("value"))))
            .as("%d digits, scale %d", digits, scale)
            .isEqualTo(number);
      }
    }
    assertThat(written).isGreaterThan(40);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1000000000-01-01T00:00:00Z", "+1000000000-12-31T23:59:59.999999999Z"})
  void theFirstAndTheLastMomentAreReadAgain(String moment) {
    EventLogEntry entry = Events.builder("k").eventTimestamp(Instant.parse(moment)).build();

    assertThat(read(write(entry)).eventTimestamp()).isEqualTo(moment);
  }

  @Test
  void theLongestNamesAndNumbersAreReadAgain() {
    Map<String, Object> metadata =
        Map.of(
            "n".repeat(50_000),
            1,
            "€".repeat(16_666),
            2,
            "\ud83d\ude00".repeat(12_500),
            3,
            "integer",
            new BigInteger("9".repeat(1000)),
            "decimal",
            new BigDecimal("-0." + "7".repeat(990)));

    assertThat(read(write(Events.builder("k").metadata(metadata).build())).metadata())
        .isEqualTo(metadata);
    assertThat(
            read(write(Events.builder("k").metadata(Map.of("own", new Holder("x"))).build()))
                .metadata())
        .isEqualTo(Map.of("own", Map.of("held", "x")));
  }
}
