package failover;

import java.io.Serializable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An answer that carries how fresh it is, to be extended by classes of answers. What it carries is
 * never stored. Not safe for use by many threads.
 */
public abstract class Referential implements Serializable {
  private static final long serialVersionUID = 1;

  private transient @Nullable Boolean upToDate;
  private transient @Nullable Instant asOf;
  private transient Metadata metadata = new Metadata();

  /** An answer of which nothing is known yet. */
  protected Referential() {}

  /** Whether it is live; null before the call that brought it has ended. */
  public @Nullable Boolean upToDate() {
    return upToDate;
  }

  /** What moment it is of; null before the call that brought it has ended. */
  public @Nullable Instant asOf() {
    return asOf;
  }

  /** Why it is not live; empty if it is. */
  public Metadata metadata() {
    return metadata;
  }

  /** Sets all of it. */
  public final void refer(Boolean isUpToDate, Instant moment, Metadata about) {
    this.upToDate = isUpToDate;
    this.asOf = moment;
    this.metadata = about;
  }
}
