package outbox.registry;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import outbox.BatchEventListener;
import outbox.EventListener;
import outbox.EventType;

/**
 * Listeners by exact type, followed by those of all types, each group in the order of registration.
 * Safe for use by many threads.
 */
public final class DefaultListenerRegistry implements ListenerRegistry {
  /** The name under which listeners of all types are kept: {@value}. */
  public static final String ALL_TYPES = "*";

  private final ConcurrentMap<String, List<EventListener>> listeners = new ConcurrentHashMap<>();

  /** A registry with no listener. */
  public DefaultListenerRegistry() {}

  /**
   * Adds a listener for a type.
   *
   * @param eventType the type
   * @param listener the listener
   * @return this
   */
  public DefaultListenerRegistry register(EventType eventType, EventListener listener) {
    return register(eventType.name(), listener);
  }

  /**
   * Adds a listener for a type given by its name.
   *
   * @param eventType the type's name, or {@value #ALL_TYPES} for all types
   * @param listener the listener
   * @return this
   * @throws IllegalArgumentException if the name is blank, or begins or ends with a space, or the
   *     listener takes batches of less than 1
   */
  public DefaultListenerRegistry register(String eventType, EventListener listener) {
    Objects.requireNonNull(eventType, "register needs an eventType but was given null");
    if (eventType.isBlank()) {
      throw new IllegalArgumentException(
          "eventType must not be blank but was '"
              + eventType
              + "'; name the type, or use \"*\" for all types");
    }
    if (!eventType.equals(eventType.strip())) {
      throw new IllegalArgumentException(
          "eventType must not begin or end with a space but was '"
              + eventType
              + "', so no event would match; remove the space");
    }
    Objects.requireNonNull(listener, "register needs a listener but was given null");
    if (listener instanceof BatchEventListener batches && batches.maxBatchSize() < 1) {
      throw new IllegalArgumentException(
          "maxBatchSize must be 1 or more but was "
              + batches.maxBatchSize()
              + "; 1 takes events one by one");
    }
    listeners.merge(eventType, List.of(listener), DefaultListenerRegistry::joined);
    return this;
  }

  /**
   * Adds a listener for all types; it runs after those of the exact type.
   *
   * @param listener the listener
   * @return this
   */
  public DefaultListenerRegistry registerAll(EventListener listener) {
    return register(ALL_TYPES, listener);
  }

  @Override
  public List<EventListener> listenersFor(String eventType) {
    List<EventListener> ofType = listeners.getOrDefault(eventType, List.of());
    List<EventListener> ofAll = listeners.getOrDefault(ALL_TYPES, List.of());
    return ofAll.isEmpty() || eventType.equals(ALL_TYPES) ? ofType : joined(ofType, ofAll);
  }

  private static List<EventListener> joined(List<EventListener> first, List<EventListener> then) {
    return Stream.concat(first.stream(), then.stream()).toList();
  }
}
