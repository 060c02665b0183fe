package eventlog.appender;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.EventLogEntry;
import eventlog.EventStatus;
import eventlog.EventType;
import eventlog.appender.LogLine.Severity;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of a line. */
class LineEventsTest {
  private static final Instant NOON = Instant.parse("2026-11-18T12:00:00Z");
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  private final LineEvents events =
      new LineEvents(
          new LineEvents.Settings(
              "shop", "warehouse", "web", "correlationId", "traceId", "spanId", 100, 2000));

  private static LogLine line(
      String level, Severity severity, String message, Map<String, String> mdc) {
    return new LogLine(
        NOON, level, severity, "shop.Orders", "main", message, mdc, List.of(), Map.of(), null);
  }

  private static Map<?, ?> map(EventLogEntry event, String name) {
    return (Map<?, ?>) event.metadata().get(name);
  }

  @ParameterizedTest
  @CsvSource({
    "INFO, NORMAL, STEP, SUCCESS",
    "WARN, WARNING, STEP, WARNING",
    "ERROR, ERROR, ERROR, FAILURE"
  })
  void theRequiredFieldsComeFromTheLine(
      String level, Severity severity, EventType type, EventStatus status) {
    EventLogEntry event =
        events.event(
            line(level, severity, "Order placed", Map.of("traceId", TRACE, "correlationId", "c")));

    assertThat(event.applicationId()).isEqualTo("shop");
    assertThat(event.targetSystem()).isEqualTo("warehouse");
    assertThat(event.originatingSystem()).isEqualTo("web");
    assertThat(event.processName()).isEqualTo("shop.Orders");
    assertThat(event.summary()).isEqualTo("Order placed");
    assertThat(event.result()).isEqualTo(level);
    assertThat(event.eventType()).isEqualTo(type);
    assertThat(event.eventStatus()).isEqualTo(status);
    assertThat(event.eventTimestamp()).isEqualTo(NOON);
    assertThat(event.traceId()).isEqualTo(TRACE);
    assertThat(event.correlationId()).isEqualTo("c");
    assertThat(event.metadata()).containsEntry("level", level).containsEntry("thread", "main");
  }

  @Test
  void linesOutsideOfATraceShareTheIdOfTheRun() {
    EventLogEntry one = events.event(line("INFO", Severity.NORMAL, "a", Map.of()));
    EventLogEntry other = events.event(line("INFO", Severity.NORMAL, "b", Map.of("traceId", " ")));

    assertThat(one.traceId()).isEqualTo(other.traceId()).isEqualTo(one.correlationId());
    assertThat(one.idempotencyKey()).isNotEqualTo(other.idempotencyKey());
  }

  @Test
  void theSpanIsThatOfTheMdcIfItIsOne() {
    assertThat(spanFor("00f067aa0ba902b7")).isEqualTo("00f067aa0ba902b7");
    assertThat(spanFor("not a span id 16")).matches("[0-9a-f]{16}");
  }

  private String spanFor(String id) {
    return events.event(line("INFO", Severity.NORMAL, "a", Map.of("spanId", id))).spanId();
  }

  @Test
  void aLineWithoutAMessageIsALine() {
    assertThat(events.event(line("INFO", Severity.NORMAL, " ", Map.of())).summary())
        .isEqualTo("(no message)");
  }

  @Test
  void longTextsAreCutOffAndSayHowMuchIsMissing() {
    Map<String, String> mdc = new LinkedHashMap<>();
    for (int i = 0; i < 100; i++) {
      mdc.put("key-" + i, "x".repeat(10_000));
    }

    EventLogEntry event = events.event(line("INFO", Severity.NORMAL, "m".repeat(150), mdc));

    assertThat(event.summary()).isEqualTo("m".repeat(100) + "… (50 characters more)");
    assertThat(map(event, "mdc")).hasSize(65);
    assertThat(map(event, "mdc").get("…")).isEqualTo("36 entries more");
    assertThat(map(event, "mdc").get("key-0")).asString().endsWith("… (5904 characters more)");
  }

  @Test
  void aPairOfCharactersIsNotCutInHalf() {
    assertThat(BoundedText.cut("a\uD83D\uDE00b", 2)).isEqualTo("a… (3 characters more)");
  }

  @Test
  void valuesAreReadAtOnceAndMayThrow() {
    Map<String, Object> values = new HashMap<>();
    StringBuilder mutable = new StringBuilder("before");
    values.put("number", 7L);
    values.put("text", mutable);
    values.put("none", null);
    values.put(
        "bad",
        new Object() {
          @Override
          public String toString() {
            throw new IllegalStateException("no");
          }
        });
    LogLine line =
        new LogLine(
            NOON, "INFO", Severity.NORMAL, "l", "t", "m", Map.of(), List.of("AUDIT"), values, null);

    EventLogEntry event = events.event(line);
    mutable.append(" and after");

    assertThat(event.metadata()).containsEntry("markers", List.of("AUDIT"));
    assertThat(map(event, "keyValues").get("number")).isEqualTo(7L);
    assertThat(map(event, "keyValues").get("text")).isEqualTo("before");
    assertThat(map(event, "keyValues").get("none")).isNull();
    assertThat(map(event, "keyValues").get("bad"))
        .isEqualTo("(no text: java.lang.IllegalStateException while it was made)");
  }

  @Test
  void anExceptionHasItsCausesAndIsCutOff() {
    Exception cause = new IllegalStateException("the cause");
    Exception thrown = new IllegalArgumentException("the effect", cause);
    thrown.addSuppressed(new RuntimeException("beside it"));
    cause.addSuppressed(thrown); // in a circle

    LogLine.LoggedException whole = new LineEventsTest().wide().describe(thrown);
    LogLine.LoggedException cut = events.describe(thrown);

    assertThat(whole.type()).isEqualTo("java.lang.IllegalArgumentException");
    assertThat(whole.message()).isEqualTo("the effect");
    assertThat(whole.stackTrace())
        .startsWith("java.lang.IllegalArgumentException: the effect\n\tat eventlog.appender.")
        .contains("\tSuppressed: java.lang.RuntimeException: beside it\n")
        .contains("Caused by: java.lang.IllegalStateException: the cause\n")
        .contains(" more\n")
        .contains("[circular reference: java.lang.IllegalArgumentException]");
    assertThat(cut.stackTrace()).hasSizeLessThan(2100).contains("characters more)");
  }

  private LineEvents wide() {
    return new LineEvents(new LineEvents.Settings("shop", "w", "o", "c", "t", "s", 100, 1_000_000));
  }
}
