package outbox;

/**
 * An aggregate type whose name is known only at run time. Immutable.
 *
 * @param name the name
 */
public record StringAggregateType(String name) implements AggregateType {

  /**
   * The aggregate type of that name.
   *
   * @param name the name
   * @return the type
   */
  public static StringAggregateType of(String name) {
    return new StringAggregateType(name);
  }
}
