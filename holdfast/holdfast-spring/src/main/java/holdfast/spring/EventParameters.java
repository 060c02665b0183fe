package holdfast.spring;

import holdfast.payload.Payloads;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a method takes of an event: the event, its payload as a text or as an object, or both, in
 * any order. Immutable.
 */
public final class EventParameters {
  private final List<Class<?>> types;
  private final Class<?> event;

  /**
   * The parameters of a method.
   *
   * @param method the method as it is written, not that of a proxy
   * @param event the class of the library's events
   */
  public EventParameters(Method method, Class<?> event) {
    this.types = List.of(method.getParameterTypes());
    this.event = event;
  }

  /** Why a method cannot take an event, with the fix; null if it can. */
  public static @Nullable String objection(Method method, Class<?> event) {
    EventParameters parameters = new EventParameters(method, event);
    long events = parameters.types.stream().filter(event::equals).count();
    boolean fits =
        events <= 1
            && parameters.types.size() - events <= 1
            && !parameters.types.isEmpty()
            && List.of(method.getGenericParameterTypes()).stream()
                .allMatch(type -> type == String.class || isOfTheApplication(type));
    return fits
        ? null
        : "must take an %1$s, its payload (a String or an object of a class of yours, not generic) or both but takes %2$s; write void %3$s(%1$s event)"
            .formatted(
                event.getSimpleName(),
                parameters.types.isEmpty() ? "nothing" : BeanMethod.parameters(method),
                method.getName());
  }

  private static boolean isOfTheApplication(Object type) {
    return type instanceof Class<?> plain
        && !plain.isPrimitive()
        && !plain.isArray()
        && plain.getTypeParameters().length == 0
        && !plain.getPackageName().startsWith("java.");
  }

  /** The class that the payload is read as; null if the method takes a text or no payload. */
  public @Nullable Class<?> payloadClass() {
    return types.stream()
        .filter(type -> type != event && type != String.class)
        .findFirst()
        .orElse(null);
  }

  /** Whether the method takes the payload, as a text or as an object. */
  public boolean takePayload() {
    return types.stream().anyMatch(type -> type != event);
  }

  /**
   * The arguments for an event, one for each parameter.
   *
   * @param event the event
   * @param payload its payload
   * @param payloads reads it
   * @throws holdfast.payload.PayloadException if it cannot be read as the class of the parameter
   */
  public Object[] arguments(Object event, String payload, Payloads payloads) {
    return types.stream()
        .map(
            type ->
                type == this.event
                    ? event
                    : type == String.class ? payload : payloads.read(payload, type))
        .toArray();
  }
}
