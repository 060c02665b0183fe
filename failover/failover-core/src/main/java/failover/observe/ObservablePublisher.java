package failover.observe;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Receives all events. Must be safe for use by many threads, and quick: calls wait for it. */
@FunctionalInterface
public interface ObservablePublisher {

  /** Takes an event. What it throws is counted and goes no further. */
  void publish(Metrics metrics);

  /**
   * One event: a name and texts, each under a key that begins with {@code failover-}. Not safe for
   * use by many threads while it is filled.
   */
  final class Metrics {
    private static final String PREFIX = "failover-";

    private final String name;
    private final Map<String, String> fields = new LinkedHashMap<>();

    private Metrics(String name) {
      this.name = name;
    }

    /** An event of a point without fields. */
    public static Metrics of(String name) {
      return new Metrics(name);
    }

    /** Adds a text; null becomes an empty one. */
    public Metrics collect(String key, @Nullable String value) {
      fields.put(PREFIX + key, value == null ? "" : value);
      return this;
    }

    /** Adds a number. */
    public Metrics collect(String key, long value) {
      return collect(key, Long.toString(value));
    }

    /** Adds a truth. */
    public Metrics collect(String key, boolean value) {
      return collect(key, Boolean.toString(value));
    }

    /** The point. */
    public String name() {
      return name;
    }

    /** All fields, for reading, in the order they were added. */
    public Map<String, String> fields() {
      return Collections.unmodifiableMap(fields);
    }

    @Override
    public String toString() {
      return name + fields;
    }
  }
}
