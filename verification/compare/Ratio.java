import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The results of both versions, round by round, as one row of a table. Immutable. */
record Ratio(List<Costs.Result[]> results) {

  String row(String name) {
    double[] logs =
        results.stream().mapToDouble(p -> Math.log(p[1].value() / p[0].value())).toArray();
    double mean = Arrays.stream(logs).average().orElseThrow();
    double variance =
        Arrays.stream(logs).map(x -> (x - mean) * (x - mean)).sum() / Math.max(1, logs.length - 1);
    double half = t95(logs.length - 1) * Math.sqrt(variance / logs.length);
    return String.format(
        "| %s | %.1f | %.1f | %.3f | %.3f to %.3f | %s | %s | %s | %s |",
        name,
        median(0, Costs.Result::value),
        median(1, Costs.Result::value),
        Math.exp(mean),
        Math.exp(mean - half),
        Math.exp(mean + half),
        both("%.1f", Costs.Result::client),
        both("%.1f", Costs.Result::server),
        both("%.0f", Costs.Result::wal),
        both("%.3f", Costs.Result::statements));
  }

  private String both(String format, ToDoubleFunction<Costs.Result> figure) {
    return String.format(format + " → " + format, median(0, figure), median(1, figure));
  }

  private double median(int which, ToDoubleFunction<Costs.Result> figure) {
    double[] values =
        results.stream().mapToDouble(p -> figure.applyAsDouble(p[which])).sorted().toArray();
    return values[values.length / 2];
  }

  /** The 97.5 % quantile of the t distribution, by its usual expansion around the normal one. */
  private static double t95(int freedom) {
    double z = 1.959964;
    double n = Math.max(1, freedom);
    return z
        + (Math.pow(z, 3) + z) / (4 * n)
        + (5 * Math.pow(z, 5) + 16 * Math.pow(z, 3) + 3 * z) / (96 * n * n);
  }
}
