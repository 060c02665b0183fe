package failover.observe.internal;

import org.jspecify.annotations.Nullable;

/** What lies behind a failure. Stateless. */
public final class Causes {
  private static final int DEEPEST = 100;

  private Causes() {}

  /** The innermost cause, null if there is none; causes that go round in a circle end somewhere. */
  public static @Nullable Throwable innermost(Throwable failure) {
    Throwable root = failure.getCause();
    for (int i = 0; i < DEEPEST && root != null && root.getCause() != null; i++) {
      root = root.getCause();
    }
    return root;
  }
}
