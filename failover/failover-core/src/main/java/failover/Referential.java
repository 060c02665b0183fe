package failover;

import java.io.Serializable;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
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

  /** Names and texts about an answer, in the order they were added. Not safe for many threads. */
  public static final class Metadata implements Serializable {
    private static final long serialVersionUID = 1;

    private final LinkedHashMap<String, @Nullable String> info = new LinkedHashMap<>();

    /** Empty metadata. */
    public Metadata() {}

    /**
     * Adds a text, in the place of the one of that name.
     *
     * @return this
     */
    public Metadata withInfo(String key, @Nullable String value) {
      info.put(key, value);
      return this;
    }

    /** All of it, for reading. */
    public Map<String, @Nullable String> info() {
      return Collections.unmodifiableMap(info);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Metadata that && info.equals(that.info);
    }

    @Override
    public int hashCode() {
      return info.hashCode();
    }

    @Override
    public String toString() {
      return info.toString();
    }
  }
}
