package failover;

import failover.codec.PayloadCodec;
import failover.observe.CallListeners;
import failover.observe.PointCounts;
import failover.observe.PointStatistics;
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
  private final CallListeners listeners;
  private final Map<String, FailoverSpec<?>> specs = new ConcurrentHashMap<>();
  private final Map<String, PointStatistics> statistics = new ConcurrentHashMap<>();
  private final PointStatistics others = new PointStatistics();

  Points(PayloadCodec codec, int most, CallListeners listeners) {
    this.codec = codec;
    this.most = most;
    this.listeners = listeners;
  }

  /**
   * Takes note of a point.
   *
   * @throws IllegalArgumentException if its answers cannot be kept, or another has its name
   */
  void register(FailoverSpec<?> spec) {
    FailoverSpec<?> known = specs.get(spec.name());
    if (known == spec) {
      return;
    }
    if (known == null) {
      codec
          .problem(spec.type())
          .ifPresent(
              problem -> {
                throw new IllegalArgumentException(spec + ": " + problem);
              });
      known = specs.putIfAbsent(spec.name(), spec);
      if (known == null) {
        listeners.tell(it -> it.registered(spec));
      }
    }
    if (known != null && known != spec) {
      throw new IllegalArgumentException(
          "the name of a failover point must be its own but '%s' is taken by another; build the"
                  .formatted(spec.name())
              + " spec once and share it, or use a domain to share answers");
    }
  }

  Collection<FailoverSpec<?>> all() {
    return new TreeMap<>(specs).values();
  }

  PointStatistics statistics(String name) {
    PointStatistics known = statistics.get(name);
    if (known != null) {
      return known;
    }
    // May go past the bound by as many as come at the same moment.
    return statistics.size() < most
        ? statistics.computeIfAbsent(name, unused -> new PointStatistics())
        : others;
  }

  Map<String, PointCounts> counts() {
    Map<String, PointCounts> counts = new TreeMap<>();
    statistics.forEach((name, of) -> counts.put(name, of.counts()));
    if (others.counts().calls() > 0) {
      counts.put(OTHERS, others.counts());
    }
    return counts;
  }
}
