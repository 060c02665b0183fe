package outbox;

/** The type of an event; an enum that implements this gives listeners and publishers one word. */
public interface EventType {

  /** The name under which the event is stored and listeners are found. */
  String name();
}
