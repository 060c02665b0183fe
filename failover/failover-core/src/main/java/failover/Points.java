package failover;

import failover.Failovers.PointCounts;
import failover.codec.PayloadCodec;
import failover.observe.FailoverLifecycleListener;
import failover.observe.internal.PointStatistics;
import holdfast.ledger.Ledger;
import holdfast.log.LibraryLogger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The registered points, each name once. Safe for use by many threads. */
final class Points {
  private static final System.Logger LOGGER = LibraryLogger.of("failover");

  /** Where points beyond the bound are counted. */
  static final String OTHERS = "_others_";

  private final PayloadCodec codec;
  private final int most;
  private final FailoverLifecycleListener listener;
  private final Map<String, RegisteredPoint> registered = new ConcurrentHashMap<>();
  private final PointStatistics others = new PointStatistics();
  private final Object identity = new Object(); // for specs, which may outlive these points

  /**
   * A point and its counters.
   *
   * @param points the identity of the points that it is among
   */
  record RegisteredPoint(FailoverSpec<?> spec, PointStatistics statistics, Object points) {}

  Points(PayloadCodec codec, int most, FailoverLifecycleListener listener) {
    this.codec = codec;
    this.most = most;
    this.listener = listener;
  }

  /**
   * Takes note of a point.
   *
   * @throws IllegalArgumentException if its answers cannot be kept, or another has its name
   */
  void register(FailoverSpec<?> spec) {
    if (of(spec).spec != spec) {
      throw new IllegalArgumentException(
          "the name of a failover point must be its own but '%s' is taken by another; build the"
                  .formatted(spec.name())
              + " spec once and share it, or use a domain to share answers");
    }
  }

  /**
   * The point of a call; its spec may have been built again, by the same code.
   *
   * @throws IllegalArgumentException if its answers cannot be kept, or one with other rules has its
   *     name
   */
  RegisteredPoint of(FailoverSpec<?> spec) {
    RegisteredPoint known = spec.foundAmong(identity);
    return known == null ? find(spec) : known;
  }

  private RegisteredPoint find(FailoverSpec<?> spec) {
    RegisteredPoint known = registered.get(spec.name());
    if (known == null) {
      known = add(spec);
    }
    if (!known.spec.hasRulesOf(spec)) {
      throw new IllegalArgumentException(
          "the name of a failover point must be its own but '%s' is taken by one with other rules;"
                  .formatted(spec.name())
              + " rename one, and use a domain to share answers");
    }
    spec.found(known);
    return known;
  }

  private RegisteredPoint add(FailoverSpec<?> spec) {
    codec
        .problem(spec.stored().type())
        .ifPresent(
            problem -> {
              throw new IllegalArgumentException(
                  spec.payloadSplitter().isEmpty()
                      ? spec + ": " + problem
                      : "%s in slices of %s: %s"
                          .formatted(spec, spec.stored().typeName(), problem));
            });
    // May go past the bound by as many as come at the same moment.
    RegisteredPoint mine =
        new RegisteredPoint(
            spec, registered.size() < most ? new PointStatistics() : others, identity);
    RegisteredPoint earlier = registered.putIfAbsent(spec.name(), mine);
    if (earlier != null) {
      return earlier;
    }
    if (spec.recoversAll() && spec.payloadSplitter().isEmpty()) {
      LOGGER.log(
          Level.WARNING,
          "failover recoverAll has no effect without a payloadSplitter, each call recovers its own"
              + " answer name="
              + spec.name());
    }
    listener.registered(spec);
    return mine;
  }

  Collection<FailoverSpec<?>> all() {
    Map<String, FailoverSpec<?>> specs = new TreeMap<>();
    registered.forEach((name, it) -> specs.put(name, it.spec));
    return specs.values();
  }

  PointStatistics statistics(FailoverSpec<?> spec) {
    RegisteredPoint known = spec.foundAmong(identity);
    known = known == null ? registered.get(spec.name()) : known;
    return known == null ? others : known.statistics;
  }

  /** How many calls have begun and not ended, by counters that the ledger does not use. */
  long underWay(Ledger ledger) {
    long ended = others.ended(); // before what has begun: what was seen to end has begun
    for (RegisteredPoint point : registered.values()) {
      ended += point.statistics == others ? 0 : point.statistics.ended();
    }
    return ledger.accepted() - ended;
  }

  Map<String, PointCounts> counts() {
    Map<String, PointCounts> counts = new TreeMap<>();
    registered.forEach(
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
