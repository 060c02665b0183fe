package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.model.EventStatus;

/** What can be built can be kept: odd texts, the largest payloads, errors no column would take. */
@Timeout(60)
class OddContentTest {
  private static final String X = "\ud800";

  /** JSON that one database or the other has trouble with, and how H2 spells it. */
  private static Map<String, String> payloads() {
    Map<String, String> spelledByH2 = new LinkedHashMap<>();
    spelledByH2.put("\"a\\u0000b\"", "\"a\\u0000b\"");
    spelledByH2.put("{\"a\\u0000\":1}", "{\"a\\u0000\":1}");
    spelledByH2.put("\"\\ud83d\\ude00\"", "\"\ud83d\ude00\"");
    spelledByH2.put(
        "\"\ud83d\ude00\uffff\ufeff\u2028\u007f\"", "\"\ud83d\ude00\uffff\ufeff\u2028\u007f\"");
    spelledByH2.put("[1e400,-1E-400]", "[1E400,-1E-400]");
    spelledByH2.put("1e999999999", "1E999999999");
    spelledByH2.put("1".repeat(5_000), "1".repeat(5_000));
    spelledByH2.put("{\"a\":1,\"a\":2}", "{\"a\":1,\"a\":2}");
    spelledByH2.put("{\"\":\"\\/\"}", "{\"\":\"/\"}");
    spelledByH2.put(" [ 1 ] ", "[1]");
    spelledByH2.put('"' + "x".repeat(1_048_574) + '"', '"' + "x".repeat(1_048_574) + '"');
    return spelledByH2;
  }

  private static EventEnvelope deliveredCold(Nodes nodes, EventEnvelope event) throws Exception {
    Queue<EventEnvelope> seen = new ConcurrentLinkedQueue<>();
    Nodes.publish(nodes.made(b -> b.publishOnly()), event);
    try (JdbcOutbox node = nodes.started(b -> b.listenerForAll(seen::add))) {
      Eventually.await(
          event.toString(), () -> nodes.table.status(event.eventId()) == EventStatus.DONE);
    }
    assertThat(seen).hasSize(1);
    return seen.remove();
  }

  @EachDatabase
  void oddJsonComesBackEqual(TestDatabase database) throws Exception {
    Map<String, String> seen = new ConcurrentHashMap<>();
    Map<String, String> expected = new LinkedHashMap<>();
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox publisher = nodes.made(b -> b.publishOnly());
      for (Map.Entry<String, String> payload : payloads().entrySet()) {
        String id = Nodes.publish(publisher, EventEnvelope.ofJson("T", payload.getKey()));
        expected.put(
            id, database.kind() == DatabaseKind.H2 ? payload.getValue() : payload.getKey());
      }
      nodes.started(b -> b.listenerForAll(event -> seen.put(event.eventId(), event.payloadJson())));
      Eventually.await("done", () -> nodes.table.countOf(EventStatus.DONE) == expected.size());
      assertThat(seen).isEqualTo(expected);
    }
  }

  @EachDatabase
  void theLargestBytesAndOddTextsComeBack(TestDatabase database) throws Exception {
    byte[] bytes = new byte[EventEnvelope.MAX_PAYLOAD_BYTES];
    new java.util.Random(1).nextBytes(bytes);
    EventEnvelope event =
        EventEnvelope.builder("\ud83d\ude00".repeat(64))
            .eventId("\ud83d\ude00".repeat(18))
            .aggregateType("\ud83d\ude00".repeat(32))
            .aggregateId("\ud83d\ude00 ".repeat(42) + "x")
            .tenantId("'; DROP TABLE outbox_event; --")
            .header("a\0b\"\\", "c\0d\n\ud83d\ude00")
            .header("", "")
            .header("long", "x".repeat(EventEnvelope.MAX_HEADERS_BYTES - 100))
            .occurredAt(Instant.parse("0001-01-01T00:00:00Z"))
            .payloadBytes(bytes)
            .build();
    try (Nodes nodes = Nodes.on(database)) {
      EventEnvelope back = deliveredCold(nodes, event);
      assertThat(Arrays.equals(back.payloadBytes(), bytes)).isTrue();
      assertThat(back)
          .usingRecursiveComparison()
          .ignoringFieldsOfTypes(byte[].class)
          .isEqualTo(event);
    }
  }

  @EachDatabase
  void aColdOrderedEventSaysThatItIs(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      EventEnvelope ordered = Publishing.ordered("T", "7").build();
      assertThat(deliveredCold(nodes, ordered).isOrdered()).isTrue();
      assertThat(deliveredCold(nodes, Nodes.event("T")).isOrdered()).isFalse();
    }
  }

  @EachDatabase
  void noErrorTextKeepsAMarkFromBeingWritten(TestDatabase database) throws Exception {
    Map<String, String> kept = new LinkedHashMap<>();
    kept.put("a\0b", "ab");
    kept.put("half " + X, "half \ufffd");
    kept.put(X + "a", "\ufffda");
    kept.put("\udc00" + X + "\udc00", "\ufffd\ud800\udc00");
    kept.put("x".repeat(3_000_000), "x".repeat(3_900));
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.maxAttempts(2)
                      .listener(
                          "T",
                          event -> {
                            throw new IllegalStateException(
                                kept.keySet().stream()
                                    .skip(Long.parseLong(event.payloadJson()))
                                    .findFirst()
                                    .orElseThrow());
                          }));
      int i = 0;
      for (String expected : kept.values()) {
        String id = Nodes.publish(node, EventEnvelope.ofJson("T", "" + i++));
        Eventually.await("dead", () -> nodes.table.status(id) == EventStatus.DEAD);
        String error = nodes.table.text(id, "last_error");
        assertThat(error).contains(expected).hasSizeLessThanOrEqualTo(4_000);
      }
    }
  }

  @EachDatabase
  void aRowThatOthersWroteWrongIsDeadAndHoldsNobodyUp(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox publisher = nodes.made(b -> b.publishOnly());
      EventEnvelope wrong = EventEnvelope.builder("T").header("h", "1").payloadJson("1").build();
      Nodes.publish(publisher, wrong);
      String headers = database.kind() == DatabaseKind.H2 ? "JSON '[1]'" : "'[1]'";
      nodes.table.update(
          "UPDATE outbox_event SET event_type = ' ', headers = " + headers + " WHERE event_id = ?",
          wrong.eventId());
      String right = Nodes.publish(publisher, Nodes.event("T"));
      nodes.started(b -> b.listenerForAll(nodes.recording()));
      Eventually.await("dead", () -> nodes.table.status(wrong.eventId()) == EventStatus.DEAD);
      Eventually.await("done", () -> nodes.table.status(right) == EventStatus.DONE);
      assertThat(nodes.table.text(wrong.eventId(), "last_error")).startsWith("cannot be decoded");
      assertThat(nodes.delivered).containsExactly(right);
    }
  }
}
