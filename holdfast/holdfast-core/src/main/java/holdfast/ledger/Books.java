package holdfast.ledger;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The books of one room at one moment: accepted + found = delivered + held + lost.
 *
 * <p>What is held follows from the law; what the room counts in its places is measured. The two
 * differ while things are on their way from one place to the next. At rest a difference is a
 * defect: something vanished without a reason, or came from nowhere. Immutable.
 *
 * @param room the room's word
 * @param accepted what entered
 * @param found what an earlier life of the process had left behind
 * @param delivered what reached its destination
 * @param lostByReason what is gone for good, by the code of its reason
 * @param measuredByPlace what the room counts as still there, by place
 */
public record Books(
    String room,
    long accepted,
    long found,
    long delivered,
    Map<String, Long> lostByReason,
    Map<String, Long> measuredByPlace) {

  /** Copies the maps, keeping their order. */
  public Books {
    lostByReason = Collections.unmodifiableMap(new LinkedHashMap<>(lostByReason));
    measuredByPlace = Collections.unmodifiableMap(new LinkedHashMap<>(measuredByPlace));
  }

  /** All that is gone for good. */
  public long lost() {
    return sum(lostByReason);
  }

  /** What must still be there, by the law. */
  public long held() {
    return accepted + found - delivered - lost();
  }

  /** What the room counts as still there. */
  public long measured() {
    return sum(measuredByPlace);
  }

  /**
   * What should be held but is not found in any place; below zero when more is there than ever came
   * in. Zero at rest, or the room has broken the law.
   */
  public long unaccounted() {
    return held() - measured();
  }

  /** Whether everything is accounted for. */
  public boolean isBalanced() {
    return unaccounted() == 0;
  }

  /**
   * The books as one line of {@code key=value}, with places and reasons that are not zero.
   *
   * @return for example {@code eventlog accepted=9 delivered=6 held=2(queue=2) lost=1(queue_full=1)
   *     unaccounted=0}
   */
  public String toLine() {
    return room
        + " accepted="
        + accepted
        + (found == 0 ? "" : " found=" + found)
        + " delivered="
        + delivered
        + " held="
        + held()
        + inBrackets(measuredByPlace)
        + " lost="
        + lost()
        + inBrackets(lostByReason)
        + " unaccounted="
        + unaccounted();
  }

  /** The books as a table for people, with a heading. */
  public String toTable() {
    return table(List.of(this));
  }

  /**
   * The books of several rooms as one table for people, a line each, with a heading.
   *
   * @param rooms the books, in the order to show them
   * @return lines ended by line feeds
   */
  public static String table(Collection<Books> rooms) {
    return new BooksTable(rooms).toString();
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
