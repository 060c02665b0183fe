package holdfast.ledger;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Lays out ledgers as a table: numbers to the right, words to the left. Confined to one call. */
final class LedgerTable {
  private static final List<String> HEADING =
      List.of(
          "library",
          "accepted",
          "recovered",
          "delivered",
          "held",
          "lost",
          "in transit",
          "unaccounted",
          "of which");
  private static final int LAST = HEADING.size() - 1;

  private final List<List<String>> rows = new ArrayList<>();

  LedgerTable(Collection<LedgerSnapshot> libraries) {
    rows.add(HEADING);
    libraries.forEach(ledger -> rows.add(row(ledger)));
  }

  @Override
  public String toString() {
    StringBuilder table = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        boolean number = column > 0 && column < LAST;
        String pattern = (number ? "%" : "%-") + width(column) + "s  ";
        line.append(String.format(Locale.ROOT, pattern, row.get(column)));
      }
      table.append(line.toString().stripTrailing()).append('\n');
    }
    return table.toString();
  }

  private static List<String> row(LedgerSnapshot ledger) {
    return List.of(
        ledger.library(),
        number(ledger.accepted()),
        number(ledger.recoveredAtStartup()),
        number(ledger.delivered()),
        number(ledger.held()),
        number(ledger.lost()),
        number(ledger.inTransit()),
        number(ledger.unaccounted()),
        details(ledger));
  }

  private static String details(LedgerSnapshot ledger) {
    List<String> parts = new ArrayList<>();
    addCounts(parts, "held in ", ledger.heldByPlace());
    addCounts(parts, "lost to ", ledger.lostByReason());
    return String.join(", ", parts);
  }

  private static void addCounts(List<String> parts, String prefix, Map<String, Long> counts) {
    counts.forEach(
        (name, count) -> {
          if (count != 0) {
            parts.add(prefix + name + " " + number(count));
          }
        });
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
