package outbox.dispatch;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The types for which this node had events but no listener, 1,000 at most. Safe for use by many
 * threads.
 */
final class UnhandledTypes {
  private static final int MAX_TYPES = 1_000;

  private final Set<String> types = ConcurrentHashMap.newKeySet();

  /** Adds a type; returns whether it is new. Beyond the limit no type is new. */
  boolean add(String type) {
    return types.size() < MAX_TYPES && types.add(type);
  }

  /** Removes a type that has a listener now. */
  void remove(String type) {
    if (!types.isEmpty()) {
      types.remove(type);
    }
  }

  /** Returns the types in alphabetical order. */
  Set<String> all() {
    return new TreeSet<>(types);
  }
}
