package failover;

import java.io.Serializable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names and texts about an answer, in the order they were added. Not safe for many threads. */
public final class Metadata implements Serializable {
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
