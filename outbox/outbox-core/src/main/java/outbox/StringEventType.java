package outbox;

/**
 * An event type whose name is known only at run time. Immutable.
 *
 * @param name the name
 */
public record StringEventType(String name) implements EventType {

  /**
   * The event type of that name.
   *
   * @param name the name
   * @return the type
   */
  public static StringEventType of(String name) {
    return new StringEventType(name);
  }
}
