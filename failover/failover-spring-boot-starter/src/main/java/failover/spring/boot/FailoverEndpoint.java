package failover.spring.boot;

import failover.FailoverSpec;
import failover.Failovers;
import failover.Failovers.PointCounts;
import failover.StoredAnswers;
import failover.spring.boot.FailoverAnswers.Done;
import failover.spring.boot.FailoverAnswers.PointAnswer;
import failover.spring.boot.FailoverAnswers.Report;
import failover.spring.boot.FailoverAnswers.Stored;
import failover.store.FailoverStoreException;
import holdfast.spring.boot.EndpointRequests;
import holdfast.spring.boot.LedgerAnswer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.convert.DurationStyle;

/**
 * The Actuator endpoint {@code failover}. Looking is allowed wherever it is exposed; the rest only
 * with {@code management.endpoint.failover.access=unrestricted}. Safe for use by many threads.
 *
 * <pre>
 * GET  failover                 ledger and points
 * GET  failover/{point}         what is stored for a point, without content
 * POST failover/{point}/expire  has it not be given any more: the entry "id", or with "all": true all
 * POST failover/{point}/forget  removes it with its content: the entry "id", or with "all": true all
 * POST failover/{point}/drill   takes the source to be down: "on" is true, false, or how long
 * </pre>
 *
 * Where there are tenants, {@code tenant} says whose answers are meant; without it those of the
 * default one. A field that is misspelt is no field, so none of them does more than it was told.
 */
@Endpoint(id = "failover", defaultAccess = Access.READ_ONLY)
final class FailoverEndpoint {
  static final int DEFAULT_ENTRIES = 100;
  static final int MOST_ENTRIES = 1_000;

  private final Failovers failovers;

  FailoverEndpoint(Failovers failovers) {
    this.failovers = failovers;
  }

  /** LedgerSnapshot and points. */
  @ReadOperation
  public Report report() {
    Map<String, PointCounts> counts = failovers.counts();
    List<PointAnswer> points =
        failovers.points().stream().map(it -> PointAnswer.of(it, failovers, counts)).toList();
    return new Report(LedgerAnswer.ofProcess(failovers.ledger()), points);
  }

  /** What is stored for a point; null for one that is not there. */
  @ReadOperation
  public @Nullable Stored stored(
      @Selector String point, @Nullable Integer limit, @Nullable String tenant) {
    int most = EndpointRequests.limit(limit, DEFAULT_ENTRIES, MOST_ENTRIES);
    return find(point)
        .map(
            spec ->
                new Stored(
                    PointAnswer.of(spec, failovers, failovers.counts()),
                    of(tenant).entries(spec.effectiveName(), most)))
        .orElse(null);
  }

  /**
   * Expires, forgets, or begins and ends a drill.
   *
   * @throws org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException if there is
   *     no such point or action, or the body does not say what it is for
   */
  @WriteOperation
  public Done act(
      @Selector String point,
      @Selector String action,
      @Nullable String id,
      @Nullable Boolean all,
      @Nullable String on,
      @Nullable String tenant) {
    FailoverSpec<?> spec = find(point).orElseThrow(() -> unknown(point));
    String name = spec.effectiveName();
    return switch (action) {
      case "expire" -> {
        StoredAnswers stored = of(tenant);
        yield new Done(
            point,
            action,
            entry(action, id, all)
                .map(it -> one(stored.expire(name, it)))
                .orElseGet(() -> stored.expireAll(name)));
      }
      case "forget" -> {
        StoredAnswers stored = of(tenant);
        yield new Done(
            point,
            action,
            entry(action, id, all)
                .map(it -> one(stored.forget(name, it)))
                .orElseGet(() -> stored.forgetAll(name)));
      }
      case "drill" -> {
        drill(point, on);
        yield new Done(
            point, failovers.drills().contains(point) ? "drill begins" : "drill is over", 0);
      }
      default ->
          throw EndpointRequests.refused(
              "the action must be expire, forget or drill but was '" + action + "'");
    };
  }

  /** A misspelt time is refused: a drill must not last longer than it was told to. */
  private void drill(String point, @Nullable String on) {
    if ("true".equals(on) || "false".equals(on)) {
      failovers.drill(point, "true".equals(on));
      return;
    }
    try {
      failovers.drill(point, DurationStyle.detectAndParse(on == null ? "" : on));
    } catch (IllegalArgumentException e) {
      throw EndpointRequests.refused(
          "drill needs \"on\": true, false, or how long, such as \"30m\", but was given "
              + (on == null ? "nothing" : "'" + on + "': " + e.getMessage()));
    }
  }

  /** The answers of a tenant; without one those of the thread's or the default one. */
  private StoredAnswers of(@Nullable String tenant) {
    StoredAnswers stored = failovers.stored();
    try {
      if (tenant != null) {
        return stored.ofTenant(tenant);
      }
      return stored.tenant().map(stored::ofTenant).orElse(stored);
    } catch (FailoverStoreException | IllegalStateException e) {
      throw EndpointRequests.refused("\"tenant\" must be one that there is: " + e.getMessage());
    }
  }

  /** The entry that an action is for; empty if it is for all. */
  private static Optional<String> entry(String action, @Nullable String id, @Nullable Boolean all) {
    boolean isForAll = Boolean.TRUE.equals(all);
    if (isForAll == (id != null)) {
      throw EndpointRequests.refused(
          "%s needs either the \"id\" of an entry or \"all\": true but was given %s"
              .formatted(action, isForAll ? "both" : "neither"));
    }
    return Optional.ofNullable(id);
  }

  private InvalidEndpointRequestException unknown(String point) {
    return EndpointRequests.refused(
        "the point must be one of %s but was '%s'"
            .formatted(failovers.points().stream().map(FailoverSpec::name).toList(), point));
  }

  private static int one(boolean done) {
    return done ? 1 : 0;
  }

  private Optional<FailoverSpec<?>> find(String name) {
    return failovers.points().stream()
        .filter(spec -> spec.name().equals(name))
        .<FailoverSpec<?>>map(spec -> spec)
        .findFirst();
  }
}
