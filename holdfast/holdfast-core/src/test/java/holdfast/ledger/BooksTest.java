package holdfast.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BooksTest {

  private static Map<String, Long> counts(String first, long one, String second, long two) {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put(first, one);
    counts.put(second, two);
    return counts;
  }

  private static Books eventlog(long accepted) {
    return new Books(
        "eventlog",
        accepted,
        5,
        900,
        counts("queue_full", 20, "shutdown_timeout", 0),
        counts("queue", 35, "disk", 50));
  }

  @Test
  void whatIsHeldFollowsFromTheLaw() {
    Books books = eventlog(1_000);
    assertThat(books.lost()).isEqualTo(20);
    assertThat(books.held()).isEqualTo(85);
    assertThat(books.measured()).isEqualTo(85);
    assertThat(books.unaccounted()).isZero();
    assertThat(books.isBalanced()).isTrue();
  }

  @Test
  void whatVanishedIsUnaccountedAndWhatCameFromNowhereIsLessThanNothing() {
    assertThat(eventlog(1_003).unaccounted()).isEqualTo(3);
    assertThat(eventlog(1_003).isBalanced()).isFalse();
    assertThat(eventlog(998).unaccounted()).isEqualTo(-2);
  }

  @Test
  void readAsOneLine() {
    assertThat(eventlog(1_001).toLine())
        .isEqualTo(
            "eventlog accepted=1001 found=5 delivered=900 held=86(queue=35 disk=50)"
                + " lost=20(queue_full=20) unaccounted=1");
    assertThat(new Books("outbox", 2, 0, 2, Map.of(), Map.of()).toLine())
        .isEqualTo("outbox accepted=2 delivered=2 held=0 lost=0 unaccounted=0");
  }

  @Test
  void readAsATable() {
    Books outbox = new Books("outbox", 12, 0, 12, Map.of(), Map.of("table", 0L));
    assertThat(Books.table(List.of(outbox, eventlog(1_000))))
        .isEqualTo(
            """
            room      accepted  found  delivered  held  lost  unaccounted  of which
            outbox          12      0         12     0     0            0
            eventlog     1,000      5        900    85    20            0  held in queue 35, held in disk 50, lost to queue_full 20
            """);
    assertThat(outbox.toTable())
        .isEqualTo(
            """
            room    accepted  found  delivered  held  lost  unaccounted  of which
            outbox        12      0         12     0     0            0
            """);
  }

  @Test
  void doNotChangeWithTheMapsTheyWereMadeFrom() {
    Map<String, Long> places = new HashMap<>(Map.of("queue", 1L));
    Books books = new Books("eventlog", 1, 0, 0, Map.of(), places);
    places.put("queue", 2L);
    assertThat(books.measured()).isEqualTo(1);
    assertThatThrownBy(() -> books.measuredByPlace().put("disk", 1L))
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
