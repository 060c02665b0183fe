package eventlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EventLogEntryTest {

  @Test
  void everyRequiredFieldThatIsMissingIsNamedInOneError() {
    assertThatThrownBy(() -> EventLogEntry.builder().build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "EventLogEntry needs all required fields but is missing correlationId, traceId,"
                + " applicationId, targetSystem, originatingSystem, processName, eventType,"
                + " eventStatus, summary, result; set them");
  }

  @Test
  void aBlankTextIsMissing() {
    assertThatThrownBy(() -> Events.builder("k").summary(" ").result("").build())
        .hasMessageEndingWith("is missing summary, result; set them");
  }

  @Test
  void whatIsNotGivenIsGenerated() {
    EventLogEntry one = Events.builder("k").idempotencyKey(null).build();
    EventLogEntry other = Events.builder("k").idempotencyKey(null).build();

    assertThat(one.spanId()).matches("[0-9a-f]{16}").isNotEqualTo(other.spanId());
    assertThat(one.idempotencyKey()).isNotEmpty().isNotEqualTo(other.idempotencyKey());
    assertThat(one.eventTimestamp()).isNotNull();
  }

  @Test
  void thereAreTwentyNineFields() {
    assertThat(EventLogEntry.class.getRecordComponents()).hasSize(29);
  }

  @Test
  void laterChangesToCollectionsChangeNothing() {
    Map<String, Object> metadata = new HashMap<>(Map.of("a", 1));
    List<String> links = new ArrayList<>(List.of("x"));
    EventLogEntry entry = Events.builder("k").metadata(metadata).spanLinks(links).build();

    metadata.put("b", 2);
    links.add("y");

    assertThat(entry.metadata()).containsOnlyKeys("a");
    assertThat(entry.spanLinks()).containsExactly("x");
  }

  @Test
  void itsTextShowsNoPayload() {
    assertThat(Events.builder("k").requestPayload("secret").build().toString())
        .isEqualTo("EventLogEntry[PlaceOrder STEP k]");
  }

  @Test
  void anEventMadeFromAnotherHasAKeyOfItsOwn() {
    EventLogEntry first = Events.event("first");

    EventLogEntry second = first.toBuilder().summary("Paid").build();

    assertThat(second.idempotencyKey()).isNotEmpty().isNotEqualTo("first");
    assertThat(second.correlationId()).isEqualTo(first.correlationId());
    assertThat(second.spanId()).isEqualTo(first.spanId());
  }
}
