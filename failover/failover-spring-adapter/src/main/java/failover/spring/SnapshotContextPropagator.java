package failover.spring;

import failover.execution.ContextPropagator;
import io.micrometer.context.ContextSnapshotFactory;

/**
 * Carries whatever Micrometer's context propagation knows of: spans and observations, and what an
 * application registers. What the caller did not have, the other thread does not have either. Safe
 * for use by many threads.
 */
public final class SnapshotContextPropagator implements ContextPropagator {
  private final ContextSnapshotFactory snapshots =
      ContextSnapshotFactory.builder().clearMissing(true).build();

  /** All contexts that are registered. */
  public SnapshotContextPropagator() {}

  @Override
  public Runnable wrap(Runnable task) {
    return snapshots.captureAll().wrap(task);
  }
}
