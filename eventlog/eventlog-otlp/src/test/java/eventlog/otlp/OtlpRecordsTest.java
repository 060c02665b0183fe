package eventlog.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import eventlog.EventLogEntry;
import eventlog.EventStatus;
import eventlog.EventType;
import eventlog.Events;
import eventlog.spi.Answer;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.SeverityNumber;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.ObjectMapper;

/** What becomes of an event, as OpenTelemetry's own classes read it. */
@Timeout(60)
class OtlpRecordsTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SPAN = "00f067aa0ba902b7";
  private static final Instant TIME = Instant.parse("2026-11-18T12:00:00.123456789Z");
  private static final long NANOS = 1_795_003_200_123_456_789L;

  private final Collector collector = new Collector();

  @AfterEach
  void end() {
    collector.close();
  }

  /** An object of an application's own. */
  record Address(String city, int number) {}

  private static KeyValue attribute(String key, AnyValue value) {
    return KeyValue.newBuilder().setKey(key).setValue(value).build();
  }

  private static KeyValue attribute(String key, String value) {
    return attribute(key, text(value));
  }

  private static AnyValue text(String value) {
    return AnyValue.newBuilder().setStringValue(value).build();
  }

  private static AnyValue whole(long value) {
    return AnyValue.newBuilder().setIntValue(value).build();
  }

  private Collector.Request sent(OtlpEncoding encoding, EventLogEntry... events) throws Exception {
    try (OtlpEventLogClient client =
        OtlpEventLogClient.builder(collector.uri()).encoding(encoding).build()) {
      assertThat(client.send(List.of(events))).isEqualTo(Answer.delivered());
    }
    return collector.requests().get(collector.requests().size() - 1);
  }

  private ResourceLogs resource(EventLogEntry... events) throws Exception {
    return sent(OtlpEncoding.PROTOBUF, events).message().getResourceLogs(0);
  }

  private static EventLogEntry line(Map<String, Object> more) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("level", "WARN");
    metadata.put("thread", "main");
    metadata.putAll(more);
    return Events.builder("key-1")
        .applicationId("shop")
        .processName("shop.Orders")
        .correlationId("order-42")
        .traceId(TRACE)
        .spanId(SPAN)
        .eventTimestamp(TIME)
        .eventStatus(EventStatus.WARNING)
        .summary("stock is low")
        .result("WARN")
        .metadata(metadata)
        .build();
  }

  @Test
  void aLogLineIsALogRecordOfItsLogger() throws Exception {
    Map<String, Object> more = new LinkedHashMap<>();
    more.put("mdc", Map.of("tenant", "acme"));
    more.put("keyValues", Map.of("left", 3));
    more.put("markers", List.of("AUDIT"));

    ResourceLogs sent = resource(line(more));

    assertThat(sent.getResource().getAttributesList())
        .containsExactly(attribute("service.name", "shop"));
    assertThat(sent.getScopeLogs(0).getScope().getName()).isEqualTo("shop.Orders");
    assertThat(sent.getScopeLogs(0).getLogRecordsList())
        .containsExactly(
            LogRecord.newBuilder()
                .setTimeUnixNano(NANOS)
                .setObservedTimeUnixNano(NANOS)
                .setSeverityNumber(SeverityNumber.SEVERITY_NUMBER_WARN)
                .setSeverityText("WARN")
                .setBody(text("stock is low"))
                .addAttributes(attribute("tenant", "acme"))
                .addAttributes(attribute("left", whole(3)))
                .addAttributes(attribute("thread.name", "main"))
                .addAttributes(
                    attribute(
                        "log.markers",
                        AnyValue.newBuilder()
                            .setArrayValue(
                                io.opentelemetry.proto.common.v1.ArrayValue.newBuilder()
                                    .addValues(text("AUDIT")))
                            .build()))
                .addAttributes(attribute("log.record.uid", "key-1"))
                .addAttributes(attribute("eventlog.correlation_id", "order-42"))
                .setTraceId(ByteString.copyFrom(HexFormat.of().parseHex(TRACE)))
                .setSpanId(ByteString.copyFrom(HexFormat.of().parseHex(SPAN)))
                .build());
  }

  @Test
  void anExceptionHasTheAttributesOfTheSemanticConventions() throws Exception {
    EventLogEntry event =
        line(Map.of("stackTrace", "java.io.IOException: gone\n\tat shop")).toBuilder()
            .errorCode("java.io.IOException")
            .errorMessage("gone")
            .build();

    assertThat(record(event).getAttributesList())
        .contains(
            attribute("exception.type", "java.io.IOException"),
            attribute("exception.message", "gone"),
            attribute("exception.stacktrace", "java.io.IOException: gone\n\tat shop"));
  }

  private LogRecord record(EventLogEntry event) throws Exception {
    return resource(event).getScopeLogs(0).getLogRecords(0);
  }

  @Test
  void anEventKeepsAllItsFields() throws Exception {
    EventLogEntry event =
        Events.builder("key-1")
            .traceId("not an id of OpenTelemetry")
            .eventType(EventType.ERROR)
            .eventStatus(EventStatus.FAILURE)
            .accountId("a-1")
            .batchId("b-1")
            .parentSpanId(SPAN)
            .spanLinks(List.of("l-1"))
            .stepName("Reserve")
            .stepSequence(3)
            .identifiers(Map.of("order", 42))
            .executionTimeMs(17L)
            .endpoint("https://warehouse/stock")
            .httpMethod("PUT")
            .httpStatusCode(409)
            .errorCode("NO_STOCK")
            .errorMessage("none left")
            .requestPayload("{}")
            .responsePayload("[]")
            .metadata(Map.of("free", true))
            .build();

    LogRecord record = record(event);

    assertThat(record.getTraceId().isEmpty()).isTrue();
    assertThat(record.getSpanId().isEmpty()).isTrue();
    assertThat(record.getSeverityNumber()).isEqualTo(SeverityNumber.SEVERITY_NUMBER_ERROR);
    assertThat(record.getAttributesList().stream().map(KeyValue::getKey))
        .doesNotHaveDuplicates()
        .contains(
            "eventlog.trace_id",
            "eventlog.account_id",
            "eventlog.batch_id",
            "eventlog.parent_span_id",
            "eventlog.span_links",
            "eventlog.step_name",
            "eventlog.step_sequence",
            "eventlog.identifiers",
            "eventlog.execution_time_ms",
            "eventlog.request_payload",
            "eventlog.response_payload",
            "eventlog.event_type",
            "eventlog.event_status",
            "eventlog.result",
            "eventlog.process_name",
            "eventlog.target_system",
            "eventlog.originating_system",
            "eventlog.correlation_id",
            "eventlog.metadata");
    assertThat(record.getAttributesList())
        .contains(
            attribute("url.full", "https://warehouse/stock"),
            attribute("http.request.method", "PUT"),
            attribute("http.response.status_code", whole(409)),
            attribute("error.type", "NO_STOCK"),
            attribute("error.message", "none left"));
  }

  @Test
  void valuesOfAnyKindArrive() throws Exception {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("nothing", null);
    values.put("text", "gr\u00fc\u00df \uD83D\uDE00 \u0001");
    values.put("negative", -7L);
    values.put("half", 0.5);
    values.put("no number", Double.NaN);
    values.put("decimal", new BigDecimal("12.5"));
    values.put("exact", new BigDecimal("0.1000000000000000000000000001"));
    values.put("huge", BigInteger.TWO.pow(70));
    values.put("list", Arrays.asList(1, null, "two", List.of()));
    values.put("map", Map.of("deep", Map.of("deeper", false)));
    values.put("own", new Address("Basel", 4));

    Map<String, Object> arrived =
        AnyValues.read(
            record(Events.builder("k").metadata(values).build()).getAttributesList().stream()
                .filter(attribute -> attribute.getKey().equals("eventlog.metadata"))
                .findFirst()
                .orElseThrow()
                .getValue()
                .getKvlistValue());

    assertThat(arrived.get("nothing")).isNull();
    assertThat(arrived)
        .containsKey("nothing")
        .containsEntry("text", "gr\u00fc\u00df \uD83D\uDE00 \u0001")
        .containsEntry("negative", -7L)
        .containsEntry("half", 0.5)
        .containsEntry("decimal", 12.5)
        .containsEntry("exact", "0.1000000000000000000000000001")
        .containsEntry("huge", "1180591620717411303424")
        .containsEntry("list", Arrays.asList(1L, null, "two", List.of()))
        .containsEntry("map", Map.of("deep", Map.of("deeper", false)))
        .containsEntry("own", Map.of("city", "Basel", "number", 4L));
  }

  @Test
  void eventsAreGroupedByApplicationAndScope() throws Exception {
    EventLogEntry[] events = {
      Events.builder("1").applicationId("a").processName("x").build(),
      Events.builder("2").applicationId("b").processName("x").build(),
      Events.builder("3").applicationId("a").processName("y").build(),
      Events.builder("4").applicationId("a").processName("x").build()
    };

    List<ResourceLogs> sent = sent(OtlpEncoding.PROTOBUF, events).message().getResourceLogsList();

    assertThat(sent).hasSize(2);
    assertThat(sent.get(0).getScopeLogsList()).hasSize(2);
    assertThat(sent.get(0).getScopeLogs(0).getLogRecordsList()).hasSize(2);
    assertThat(sent.get(1).getScopeLogsList()).hasSize(1);
  }

  @Test
  void jsonSaysWhatProtobufSays() throws Exception {
    EventLogEntry[] events = {
      line(Map.of("keyValues", Map.of("left", 3, "half", 0.5, "no number", Double.NaN))),
      Events.builder("2").metadata(Map.of("list", Arrays.asList(1, null, true))).build()
    };

    Collector.Request binary = sent(OtlpEncoding.PROTOBUF, events);
    Collector.Request json = sent(OtlpEncoding.JSON, events);

    assertThat(json.headers().get("Content-type")).containsExactly("application/json");
    assertThat(new ObjectMapper().readTree(json.body()))
        .isEqualTo(new ObjectMapper().readTree(OtlpJson.of(binary.message())));
  }
}
