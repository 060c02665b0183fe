package failover;

import failover.key.StoreKey;
import failover.store.ReferentialPayload;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call on its way. Immutable, as far as its arguments are.
 *
 * @param spec the point it is made at
 * @param args its arguments
 * @param key under which its answer is kept, or null if an argument allows none: then it passes
 *     unprotected
 * @param startedAt when it began, in microseconds, as answers are kept
 * @param storedName under which name its answers are kept: the effective name, where there are
 *     tenants with the tenant; null if it has no tenant: then it passes unprotected
 * @param <T> what it answers
 */
public record FailoverCall<T>(
    FailoverSpec<T> spec,
    List<? extends @Nullable Object> args,
    @Nullable StoreKey key,
    Instant startedAt,
    @Nullable String storedName) {

  /** Cuts the moment to microseconds. */
  public FailoverCall {
    startedAt = ReferentialPayload.inMicros(startedAt);
  }

  /** A call without tenants. */
  public FailoverCall(
      FailoverSpec<T> spec,
      List<? extends @Nullable Object> args,
      @Nullable StoreKey key,
      Instant startedAt) {
    this(spec, args, key, startedAt, spec.effectiveName());
  }
}
