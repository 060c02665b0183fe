package benchmarks.tracer;

/** Has sums be used, so that reading is not left out by the compiler. Stateless. */
final class Sums {
  private Sums() {}

  static void keep(long sum) {
    if (sum == Long.MIN_VALUE + 12_345) {
      System.err.println("a sum that never comes");
    }
  }
}
