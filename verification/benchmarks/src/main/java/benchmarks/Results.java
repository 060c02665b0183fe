package benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Rates by contender and round. For one thread. */
final class Results {
  private final Map<String, List<Rate>> rates = new LinkedHashMap<>();

  void add(String contender, Rate rate) {
    rates.computeIfAbsent(contender, name -> new ArrayList<>()).add(rate);
  }

  /** A Markdown table; ratios to the limit are made round by round, so that noise cancels out. */
  String table(String limit) {
    StringBuilder table = new StringBuilder();
    table.append(
        "| contender | of the limit, median | min–max | CPU µs per event, client + server |"
            + " events/s, median | by round |\n");
    table.append("| --- | ---: | ---: | ---: | ---: | --- |\n");
    List<Rate> limits = rates.getOrDefault(limit, List.of());
    rates.forEach((name, values) -> table.append(line(name, values, limits)));
    return table.toString();
  }

  private static String line(String name, List<Rate> values, List<Rate> limits) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      ratios.add(values.get(i).perSecond() / limits.get(i).perSecond());
    }
    ratios.sort(null);
    return "| %s | %.2f | %.2f–%.2f | %.0f + %.0f | %.0f | %s |%n"
        .formatted(
            name,
            median(ratios),
            ratios.get(0),
            ratios.get(ratios.size() - 1),
            median(values, Rate::clientMicros),
            median(values, Rate::serverMicros),
            median(values, Rate::perSecond),
            String.join(
                ", ", values.stream().map(rate -> "%.0f".formatted(rate.perSecond())).toList()));
  }

  private static double median(List<Rate> rates, ToDoubleFunction<Rate> value) {
    return median(rates.stream().map(value::applyAsDouble).sorted().toList());
  }

  private static double median(List<Double> sorted) {
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }
}
