package tracer.tool;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import tracer.perfetto.TraceEntry;

/** Which spans took how long, and what was lost and why. Confined to one call. */
final class Summary {
  private static final String ROW = "%10s %10s %10s %10s %10s %10s %10s  %s%n";

  private final Predicate<TraceEntry> wanted;
  private final Spans spans = new Spans(this::ended);
  private final Map<String, Kind> kinds = new HashMap<>();
  private final Map<String, Long> lost = new TreeMap<>();

  /** The spans of a name. */
  private static final class Kind {
    final Durations totals = new Durations();
    long self;
  }

  /**
   * A summary of nothing yet.
   *
   * @param wanted which entries count; others are seen as what spans that count contain
   */
  Summary(Predicate<TraceEntry> wanted) {
    this.wanted = wanted;
  }

  /** Takes an entry, no older than the one before. */
  void add(TraceEntry entry) {
    if (!entry.isLoss()) {
      spans.add(entry);
    } else if (wanted.test(entry)) {
      Object count = entry.values().getOrDefault("count", 0L);
      String cause = entry.values().getOrDefault("reason", "") + " " + entry.lane();
      lost.merge(cause, count instanceof Long number ? number : 0L, Long::sum);
    }
  }

  private void ended(TraceEntry begin, Duration total, Duration self) {
    if (wanted.test(begin)) {
      Kind kind = kinds.computeIfAbsent(begin.name(), name -> new Kind());
      kind.totals.add(total.toNanos());
      kind.self += Math.max(0, self.toNanos());
    }
  }

  /** Prints the kinds that took longest by their own, and all losses. */
  void print(PrintWriter out, int top) {
    if (kinds.isEmpty()) {
      out.println("no span that has ended");
    } else {
      out.printf(
          Locale.ROOT, ROW, "count", "self", "total", "p50", "p95", "p99", "longest", "span");
    }
    List<Map.Entry<String, Kind>> sorted =
        kinds.entrySet().stream()
            .sorted(
                Comparator.comparingLong((Map.Entry<String, Kind> kind) -> -kind.getValue().self)
                    .thenComparing(Map.Entry::getKey))
            .toList();
    for (Map.Entry<String, Kind> kind : sorted.subList(0, Math.min(top, sorted.size()))) {
      print(out, kind.getKey(), kind.getValue());
    }
    if (sorted.size() > top) {
      out.println((sorted.size() - top) + " more kinds of spans; see --top");
    }
    printOpen(out);
    lost.forEach((cause, count) -> out.println("lost " + count + " " + cause));
    out.flush();
  }

  private static void print(PrintWriter out, String name, Kind kind) {
    Durations totals = kind.totals;
    out.printf(
        Locale.ROOT,
        ROW,
        totals.count(),
        shown(kind.self),
        shown(totals.sum()),
        shown(totals.percentile(50)),
        shown(totals.percentile(95)),
        shown(totals.percentile(99)),
        shown(totals.most()),
        EntryText.word(name));
  }

  private void printOpen(PrintWriter out) {
    Map<String, Long> open = new TreeMap<>();
    for (TraceEntry begin : spans.open()) {
      if (wanted.test(begin)) {
        open.merge(EntryText.word(begin.name()), 1L, Long::sum);
      }
    }
    open.forEach((name, count) -> out.println("open " + count + " " + name));
  }

  /** A duration with three digits or more and its unit. */
  static String shown(long nanos) {
    if (nanos < 1_000) {
      return nanos + " ns";
    }
    String[] units = {"µs", "ms", "s"};
    double value = nanos / 1_000.0;
    int unit = 0;
    while (value >= 999.5 && unit < units.length - 1) {
      value /= 1_000;
      unit++;
    }
    String format = value < 9.995 ? "%.2f %s" : value < 99.95 ? "%.1f %s" : "%.0f %s";
    return String.format(Locale.ROOT, format, value, units[unit]);
  }
}
