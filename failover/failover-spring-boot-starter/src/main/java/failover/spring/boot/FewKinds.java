package failover.spring.boot;

import failover.observe.internal.FailoverMeter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The counters of one meter for the first few kinds of something; further kinds are counted
 * together. Safe for use by many threads.
 */
final class FewKinds {
  private static final String OTHERS = "others";

  private final MeterSet meters;
  private final FailoverMeter meter;
  private final String name;
  private final int most;
  private final Map<List<String>, LongAdder> known = new ConcurrentHashMap<>();

  /**
   * No counters yet.
   *
   * @param name the value of the meter's first tag
   * @param most how many kinds are told apart; there is one counter more
   */
  FewKinds(MeterSet meters, FailoverMeter meter, String name, int most) {
    this.meters = meters;
    this.meter = meter;
    this.name = name;
    this.most = most;
  }

  /** The counter of a kind, which has a value for each further tag. */
  LongAdder of(List<String> kind) {
    LongAdder counter = known.get(kind);
    return counter == null ? added(kind) : counter;
  }

  private synchronized LongAdder added(List<String> kind) {
    List<String> told =
        known.size() < most || known.containsKey(kind)
            ? kind
            : Collections.nCopies(kind.size(), OTHERS);
    return known.computeIfAbsent(told, this::counter);
  }

  private LongAdder counter(List<String> kind) {
    List<String> values = new ArrayList<>(List.of(name));
    values.addAll(kind);
    return meters.count(meter, values.toArray(String[]::new));
  }
}
