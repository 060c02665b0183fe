package failover.spring.boot;

import failover.FailoverSpec;
import failover.Failovers;
import failover.StoredAnswers;
import failover.observe.PointCounts;
import failover.spring.boot.FailoverAnswers.Done;
import failover.spring.boot.FailoverAnswers.PointAnswer;
import failover.spring.boot.FailoverAnswers.Report;
import failover.spring.boot.FailoverAnswers.Stored;
import holdfast.spring.boot.EndpointRequests;
import holdfast.spring.boot.LedgerAnswer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The Actuator endpoint {@code failover}. Looking is allowed wherever it is exposed; the rest only
 * with {@code management.endpoint.failover.access=unrestricted}. Safe for use by many threads.
 *
 * <pre>
 * GET  failover                 ledger and points
 * GET  failover/{point}         what is stored for a point, without content
 * POST failover/{point}/expire  has it not be given any more: all, or the entry "id"
 * POST failover/{point}/forget  removes it with its content: all, or the entry "id"
 * POST failover/{point}/drill   takes the source to be down, until "on" is false
 * </pre>
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
    Set<String> drills = failovers.drills();
    List<PointAnswer> points =
        failovers.points().stream()
            .map(it -> PointAnswer.of(it, drills.contains(it.name()), counts.get(it.name())))
            .toList();
    return new Report(LedgerAnswer.ofProcess(failovers.ledger()), points);
  }

  /** What is stored for a point; null for one that is not there. */
  @ReadOperation
  public @Nullable Stored stored(@Selector String point, @Nullable Integer limit) {
    int most = EndpointRequests.limit(limit, DEFAULT_ENTRIES, MOST_ENTRIES);
    return find(point)
        .map(
            spec ->
                new Stored(
                    PointAnswer.of(
                        spec, failovers.drills().contains(point), failovers.counts().get(point)),
                    failovers.stored().entries(spec.effectiveName(), most)))
        .orElse(null);
  }

  /**
   * Expires, forgets, or begins and ends a drill.
   *
   * @throws org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException if there is
   *     no such point or action
   */
  @WriteOperation
  public Done act(
      @Selector String point, @Selector String action, @Nullable String id, @Nullable Boolean on) {
    FailoverSpec<?> spec = find(point).orElseThrow(() -> unknown(point));
    StoredAnswers stored = failovers.stored();
    String name = spec.effectiveName();
    return switch (action) {
      case "expire" ->
          new Done(
              point, action, id == null ? stored.expireAll(name) : one(stored.expire(name, id)));
      case "forget" ->
          new Done(
              point, action, id == null ? stored.forgetAll(name) : one(stored.forget(name, id)));
      case "drill" -> {
        failovers.drill(point, on == null || on);
        yield new Done(point, on == null || on ? "drill begins" : "drill is over", 0);
      }
      default ->
          throw EndpointRequests.refused(
              "the action must be expire, forget or drill but was '" + action + "'");
    };
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
