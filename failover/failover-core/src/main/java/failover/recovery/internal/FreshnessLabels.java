package failover.recovery.internal;

import failover.Referential;
import failover.Referential.Metadata;
import failover.ReferentialAware;
import failover.observe.internal.Causes;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Tells answers that want to know how fresh they are. Stateless. */
public final class FreshnessLabels {
  private FreshnessLabels() {}

  /**
   * Takes off what an earlier call may have told the answer, so that equal answers are stored as
   * equal bytes: only the source decides what is stored.
   */
  static void neutral(Object answer) {
    if (answer instanceof ReferentialAware) {
      label(answer, true, Instant.EPOCH, null);
    }
  }

  static void live(@Nullable Object answer, Instant asOf) {
    label(answer, true, asOf, null);
  }

  /** Tells an answer that it is not live, what moment it is of, and why, if that is known. */
  public static void recovered(@Nullable Object answer, Instant asOf, @Nullable Throwable cause) {
    label(answer, false, asOf, cause);
  }

  private static void label(
      @Nullable Object answer, boolean upToDate, Instant asOf, @Nullable Throwable cause) {
    if (answer instanceof Referential referential) {
      referential.refer(upToDate, asOf, about(cause));
    }
    if (answer instanceof ReferentialAware aware) {
      aware.setUpToDate(upToDate);
      aware.setAsOf(asOf);
      aware.setMetadata(about(cause));
    }
  }

  private static Metadata about(@Nullable Throwable cause) {
    Metadata metadata = new Metadata();
    if (cause == null) {
      return metadata;
    }
    metadata
        .withInfo("exception-name", cause.getClass().getCanonicalName())
        .withInfo("cause", cause.getMessage());
    Throwable root = Causes.innermost(cause);
    return metadata
        .withInfo("final-root-cause-name", root == null ? null : root.getClass().getCanonicalName())
        .withInfo("final-root-cause", root == null ? null : root.getMessage());
  }
}
