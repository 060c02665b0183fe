package failover;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * A type with its type arguments: {@code new TypeRef<List<Price>>() {}}. Immutable.
 *
 * @param <T> the type
 */
public abstract class TypeRef<T> {
  private final Type type;

  /**
   * Takes the type that the subclass was written with.
   *
   * @throws IllegalStateException if it was written with none
   */
  protected TypeRef() {
    if (!(getClass().getGenericSuperclass() instanceof ParameterizedType written)) {
      throw new IllegalStateException(
          "TypeRef must be made with a type argument, as in new TypeRef<List<String>>() {}");
    }
    this.type = written.getActualTypeArguments()[0];
  }

  /** The type. */
  public final Type type() {
    return type;
  }
}
