package failover;

import failover.codec.PayloadCodec;
import failover.observe.FailoverLifecycleListeners;
import failover.observe.PointCounts;
import failover.observe.PointStatistics;
import holdfast.ledger.Ledger;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The points that have been met, each name once. Safe for use by many threads. */
final class Points {
  /** Where points beyond the bound are counted. */
  static final String OTHERS = "_others_";

  private final PayloadCodec codec;
  private final int most;
  private final FailoverLifecycleListeners listeners;
  private final Map<String, Met> met = new ConcurrentHashMap<>();
  private final PointStatistics others = new PointStatistics();

  /** A point and its counters. */
  record Met(FailoverSpec<?> spec, PointStatistics statistics) {}

  Points(PayloadCodec codec, int most, FailoverLifecycleListeners listeners) {
    this.codec = codec;
    this.most = most;
    this.listeners = listeners;
  }

  /**
   * Takes note of a point.
   *
   * @throws IllegalArgumentException if its answers cannot be kept, or another has its name
   */
  Met register(FailoverSpec<?> spec) {
    Met known = met.get(spec.name());
    if (known == null) {
      known = meet(spec);
    }
    if (known.spec != spec) {
      throw new IllegalArgumentException(
          "the name of a failover point must be its own but '%s' is taken by another; build the"
                  .formatted(spec.name())
              + " spec once and share it, or use a domain to share answers");
    }
    return known;
  }

  private Met meet(FailoverSpec<?> spec) {
    codec
        .problem(spec.type())
        .ifPresent(
            problem -> {
              throw new IllegalArgumentException(spec + ": " + problem);
            });
    // May go past the bound by as many as come at the same moment.
    Met mine = new Met(spec, met.size() < most ? new PointStatistics() : others);
    Met earlier = met.putIfAbsent(spec.name(), mine);
    if (earlier != null) {
      return earlier;
    }
    listeners.tell(it -> it.registered(spec));
    return mine;
  }

  Collection<FailoverSpec<?>> all() {
    Map<String, FailoverSpec<?>> specs = new TreeMap<>();
    met.forEach((name, it) -> specs.put(name, it.spec));
    return specs.values();
  }

  PointStatistics statistics(String name) {
    Met known = met.get(name);
    return known == null ? others : known.statistics;
  }

  /** How many calls have begun and not ended, by counters that the ledger does not use. */
  long underWay(Ledger ledger) {
    long ended = others.ended(); // before what has begun: what was seen to end has begun
    for (Met point : met.values()) {
      ended += point.statistics == others ? 0 : point.statistics.ended();
    }
    return ledger.accepted() - ended;
  }

  Map<String, PointCounts> counts() {
    Map<String, PointCounts> counts = new TreeMap<>();
    met.forEach(
        (name, it) -> {
          if (it.statistics != others) {
            counts.put(name, it.statistics.counts());
          }
        });
    if (others.counts().calls() > 0) {
      counts.put(OTHERS, others.counts());
    }
    return counts;
  }
}
