package outbox;

/** The type of the thing an event is about: user, order, product. */
public interface AggregateType {

  /** The name that is stored with the event. */
  String name();
}
