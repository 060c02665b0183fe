package eventlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  @Test
  void aTemplateHasWhatManyEventsHaveInCommon() {
    EventLogEntryBuilder common = Events.builder("key").spanId("0011223344556677").summary(null);
    EventLogTemplate template = common.toTemplate();
    common.correlationId("changed afterwards");

    EventLogEntry first = template.event().summary("one").build();
    EventLogEntry second = template.event().summary("two").result("other").build();

    assertThat(first.correlationId()).isEqualTo("order-42");
    assertThat(first.result()).isEqualTo("3 items");
    assertThat(second.result()).isEqualTo("other");
    assertThat(first.idempotencyKey()).isNotEqualTo("key").isNotEqualTo(second.idempotencyKey());
    assertThat(first.spanId()).isNotEqualTo("0011223344556677").isNotEqualTo(second.spanId());
    assertThatThrownBy(() -> template.event().build()).hasMessageContaining("missing summary;");
  }

  @Test
  void theSizeOfAnEventIsThatOfItsTextsAndCollections() {
    int plain = Events.event("k").estimatedBytes();
    Map<String, Object> itself = new HashMap<>();
    itself.put("itself", itself);
    List<String> many = Collections.nCopies(100_000, "0123456789");

    assertThat(Events.builder("k").requestPayload("x".repeat(1000)).build().estimatedBytes())
        .isEqualTo(plain + 2000);
    assertThat(size(Map.of("a", "x".repeat(1000), "b", List.of(1, true)))).isGreaterThan(2000);
    assertThat(size(Map.of("many", many))).isBetween(100_000 * 20, 100_000 * 200);
    assertThat(size(Map.of("bytes", new byte[5000], "own", new Object()))).isGreaterThan(6000);
    assertThat(size(Map.of("longs", new long[5000]))).isBetween(40_000, 50_000);
    assertThat(size(Map.of("chars", new char[5000], "truths", new boolean[5000])))
        .isBetween(15_000, 20_000);
    assertThat(size(Map.of("texts", many.toArray()))).isBetween(100_000 * 20, 100_000 * 200);
    assertThat(size(itself)).isPositive();
    assertThat(size(new TroubledMap())).isPositive();
  }

  private static int size(Map<String, Object> metadata) {
    return Events.builder("k").metadata(Map.of("held", metadata)).build().estimatedBytes();
  }

  /** A map that cannot be looked at. */
  private static final class TroubledMap extends AbstractMap<String, Object> {
    @Override
    public Set<Entry<String, Object>> entrySet() {
      throw new IllegalStateException("broken");
    }
  }

  @Test
  void noMetadataIsNotTheSameAsEmptyMetadata() {
    EventLogEntry none = Events.builder("k").eventTimestamp(Instant.EPOCH).spanId("s").build();
    EventLogEntry same = none.toBuilder().idempotencyKey("k").build();
    EventLogEntry empty = none.toBuilder().idempotencyKey("k").metadata(Map.of()).build();

    assertThat(none.metadata()).isNull();
    assertThat(empty.metadata()).isEmpty();
    assertThat(none).isEqualTo(same).hasSameHashCodeAs(same).isNotEqualTo(empty);
  }
}
