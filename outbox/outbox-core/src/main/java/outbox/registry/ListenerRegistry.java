package outbox.registry;

import java.util.List;
import outbox.EventListener;

/** Which listeners an event has. Must be safe for use by many threads. */
@FunctionalInterface
public interface ListenerRegistry {

  /**
   * The listeners of a type, in the order they are to run.
   *
   * @param eventType the name of the type
   * @return a list that does not change; empty if nobody listens
   */
  List<EventListener> listenersFor(String eventType);
}
