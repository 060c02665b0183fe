package holdfast.ledger;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The delivery ledger of one library at one moment: accepted + recoveredAtStartup = delivered +
 * held + lost.
 *
 * <p>At rest nothing is unaccounted for; while events move, {@code inTransit} is what is between
 * two places. An event in transit may be counted in both places or in neither, so {@link
 * #unaccounted()} may then differ from zero by the events that moved while the counts were read.
 * Immutable.
 *
 * @param library the library: {@code outbox}, {@code eventlog}
 * @param accepted how many events the library has taken responsibility for
 * @param recoveredAtStartup how many events of an earlier process were recovered when this one
 *     started
 * @param delivered how many events reached their destination
 * @param lostByReason how many events are gone for good, by the code of the reason
 * @param heldByPlace how many events are counted in each place that holds them
 * @param inTransit how many events are being moved from one place to another; counted by the
 *     threads that move them, never computed from the other numbers
 */
public record LedgerSnapshot(
    String library,
    long accepted,
    long recoveredAtStartup,
    long delivered,
    Map<String, Long> lostByReason,
    Map<String, Long> heldByPlace,
    long inTransit) {

  /** Copies the maps, keeping their order. */
  public LedgerSnapshot {
    lostByReason = Collections.unmodifiableMap(new LinkedHashMap<>(lostByReason));
    heldByPlace = Collections.unmodifiableMap(new LinkedHashMap<>(heldByPlace));
  }

  /** Returns how many events are gone for good. */
  public long lost() {
    return sum(lostByReason);
  }

  /** Returns how many events are still there: in all places, and in transit between them. */
  public long held() {
    return sum(heldByPlace) + inTransit;
  }

  /**
   * Returns how many events must still be there, accepted and neither delivered nor lost, but are
   * counted in no place; below zero when more are counted than were accepted. Zero at rest: any
   * other number is a defect then, or rows of a table were changed by hand.
   */
  public long unaccounted() {
    return accepted + recoveredAtStartup - delivered - lost() - sum(heldByPlace);
  }

  /** Returns whether every event is accounted for. */
  public boolean isAccountedFor() {
    return unaccounted() == 0;
  }

  /**
   * Returns this ledger as one line of {@code key=value}, with the places and reasons that are not
   * zero.
   *
   * @return for example {@code eventlog accepted=9 delivered=6 held=2(queue=2) lost=1(queue_full=1)
   *     unaccounted=0}
   */
  public String toLine() {
    return library
        + " accepted="
        + accepted
        + (recoveredAtStartup == 0 ? "" : " recoveredAtStartup=" + recoveredAtStartup)
        + " delivered="
        + delivered
        + " held="
        + held()
        + inBrackets(heldByPlace)
        + " lost="
        + lost()
        + inBrackets(lostByReason)
        + (inTransit == 0 ? "" : " inTransit=" + inTransit)
        + " unaccounted="
        + unaccounted();
  }

  /** Returns this ledger as a table with a heading. */
  public String toTable() {
    return table(List.of(this));
  }

  /**
   * Returns the ledgers of several libraries as one table with a heading, one line each.
   *
   * @param libraries the ledgers, in the order to show them
   * @return lines ended by line feeds
   */
  public static String table(Collection<LedgerSnapshot> libraries) {
    return new LedgerTable(libraries).toString();
  }

  private static long sum(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  private static String inBrackets(Map<String, Long> counts) {
    StringBuilder text = new StringBuilder();
    counts.forEach(
        (name, count) -> {
          if (count != 0) {
            text.append(text.isEmpty() ? "(" : " ").append(name).append('=').append(count);
          }
        });
    return text.isEmpty() ? "" : text.append(')').toString();
  }
}
