package benchmarks.failover;

/** A thousand keys of some length, one after the other, again and again. For one thread. */
final class Skus {
  static final int COUNT = 1_000;

  private final String[] skus = new String[COUNT];
  private int next;

  Skus() {
    for (int i = 0; i < COUNT; i++) {
      skus[i] = "sku-" + i;
    }
  }

  String next() {
    next = (next + 1) % COUNT;
    return skus[next];
  }
}
