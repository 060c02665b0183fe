package holdfast.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LedgerSnapshotTest {

  private static Map<String, Long> counts(String first, long one, String second, long two) {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put(first, one);
    counts.put(second, two);
    return counts;
  }

  private static LedgerSnapshot eventlog(long accepted) {
    return eventlog(accepted, 0);
  }

  private static LedgerSnapshot eventlog(long accepted, long inTransit) {
    return new LedgerSnapshot(
        "eventlog",
        accepted,
        5,
        900,
        counts("queue_full", 20, "shutdown_timeout", 0),
        counts("queue", 35, "disk", 50),
        inTransit);
  }

  @Test
  void whatIsHeldIsWhatIsThere() {
    LedgerSnapshot ledger = eventlog(1_000);
    assertThat(ledger.lost()).isEqualTo(20);
    assertThat(ledger.held()).isEqualTo(85);
    assertThat(ledger.unaccounted()).isZero();
    assertThat(ledger.isAccountedFor()).isTrue();
  }

  @Test
  void whatVanishedIsUnaccountedAndWhatCameFromNowhereIsLessThanNothing() {
    assertThat(eventlog(1_003).unaccounted()).isEqualTo(3);
    assertThat(eventlog(1_003).isAccountedFor()).isFalse();
    assertThat(eventlog(998).unaccounted()).isEqualTo(-2);
  }

  /** As after rows of a table were deleted, or inserted, by hand. */
  @Test
  void whatIsHeldIsNeitherNegativeNorMoreThanIsThere() {
    LedgerSnapshot inserted =
        new LedgerSnapshot("outbox", 0, 0, 40, Map.of(), Map.of("new", 2L), 0);
    assertThat(inserted.toLine())
        .isEqualTo("outbox accepted=0 delivered=40 held=2(new=2) lost=0 unaccounted=-42");
    LedgerSnapshot deleted = new LedgerSnapshot("outbox", 6, 0, 0, Map.of(), Map.of("new", 0L), 0);
    assertThat(deleted.toLine())
        .isEqualTo("outbox accepted=6 delivered=0 held=0 lost=0 unaccounted=6");
  }

  @Test
  void readAsOneLine() {
    assertThat(eventlog(1_001).toLine())
        .isEqualTo(
            "eventlog accepted=1001 recoveredAtStartup=5 delivered=900 held=85(queue=35 disk=50)"
                + " lost=20(queue_full=20) unaccounted=1");
    assertThat(new LedgerSnapshot("outbox", 2, 0, 2, Map.of(), Map.of(), 0).toLine())
        .isEqualTo("outbox accepted=2 delivered=2 held=0 lost=0 unaccounted=0");
  }

  @Test
  void whatIsInTransitIsShownAndNotComputedFromTheOtherNumbers() {
    LedgerSnapshot ledger = eventlog(1_003, 4);
    assertThat(ledger.inTransit()).isEqualTo(4);
    assertThat(ledger.unaccounted()).isEqualTo(3);
    assertThat(ledger.toLine()).endsWith(" lost=20(queue_full=20) inTransit=4 unaccounted=3");
  }

  @Test
  void readAsATable() {
    LedgerSnapshot outbox =
        new LedgerSnapshot("outbox", 12, 0, 12, Map.of(), Map.of("table", 0L), 0);
    assertThat(LedgerSnapshot.table(List.of(outbox, eventlog(1_000))))
        .isEqualTo(
            """
            library   accepted  recovered  delivered  held  lost  in transit  unaccounted  of which
            outbox          12          0         12     0     0           0            0
            eventlog     1,000          5        900    85    20           0            0  held in queue 35, held in disk 50, lost to queue_full 20
            """);
    assertThat(outbox.toTable())
        .isEqualTo(
            """
            library  accepted  recovered  delivered  held  lost  in transit  unaccounted  of which
            outbox         12          0         12     0     0           0            0
            """);
  }

  @Test
  void doNotChangeWithTheMapsTheyWereMadeFrom() {
    Map<String, Long> places = new HashMap<>(Map.of("queue", 1L));
    LedgerSnapshot ledger = new LedgerSnapshot("eventlog", 1, 0, 0, Map.of(), places, 0);
    places.put("queue", 2L);
    assertThat(ledger.heldByPlace()).containsEntry("queue", 1L);
    assertThatThrownBy(() -> ledger.heldByPlace().put("disk", 1L))
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
