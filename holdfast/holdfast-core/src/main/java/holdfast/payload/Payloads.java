package holdfast.payload;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The payload classes of an application: the event type of each, and how they are written and read.
 *
 * <pre>{@code
 * Payloads payloads = Payloads.discovered()
 *     .with(OrderPlaced.class, "OrderPlaced"); // or @PayloadType("OrderPlaced") on the class
 * }</pre>
 *
 * <p>A name of a class is never stored, nor loaded because it was. Immutable, safe for use by many
 * threads.
 */
public final class Payloads {
  private static final int MAX_TYPE_LENGTH = 128;

  private final Supplier<PayloadMapper> mapper;
  private final Map<Class<?>, String> types;

  private Payloads(Supplier<PayloadMapper> mapper, Map<Class<?>, String> types) {
    this.mapper = mapper;
    this.types = Map.copyOf(types);
  }

  /**
   * Payloads that the mapper writes and reads.
   *
   * @param mapper the mapper
   * @return payloads whose classes have {@link PayloadType}
   */
  public static Payloads of(PayloadMapper mapper) {
    Objects.requireNonNull(mapper, "of needs a PayloadMapper but was given null");
    return new Payloads(() -> mapper, Map.of());
  }

  /**
   * Payloads that the mapper on the class path writes and reads, such as that of {@code
   * holdfast-jackson}. It is looked for on first use.
   *
   * @return payloads whose classes have {@link PayloadType}
   */
  public static Payloads discovered() {
    return new Payloads(new DiscoveredMapper(), Map.of());
  }

  /**
   * The same payloads and one class more, for a class that cannot have {@link PayloadType}.
   *
   * @param payload the class
   * @param type its event type, 1 to 128 characters without white space at its ends
   * @return the payloads; these here are not changed
   * @throws IllegalArgumentException if the type is not valid, the class has another one, or
   *     another class is registered for it
   */
  public Payloads with(Class<?> payload, String type) {
    String other = registered(payload);
    if (other != null && !other.equals(type)) {
      throw new IllegalArgumentException(
          "payload %s must have one event type but has '%s' and '%s'; remove one of them"
              .formatted(payload, other, type));
    }
    types.forEach((known, name) -> refuseSecond(type, known, name.equals(type), payload));
    Map<Class<?>, String> more = new HashMap<>(types);
    more.put(payload, checked(payload, type));
    return new Payloads(mapper, more);
  }

  private static void refuseSecond(String type, Class<?> known, boolean same, Class<?> payload) {
    if (same && known != payload) {
      throw new IllegalArgumentException(
          "event type '%s' must be published from one class but is registered for %s and %s; register one of them, and let listeners name the type"
              .formatted(type, known.getName(), payload.getName()));
    }
  }

  /**
   * The event type of a payload class.
   *
   * @param payload the class
   * @return its type
   * @throws IllegalArgumentException if the class has no type, or one that is not valid
   */
  public String typeOf(Class<?> payload) {
    String type = registered(payload);
    if (type == null && payload.getName().startsWith("java.")) {
      throw new IllegalArgumentException(
          "payload %s must have an event type but is of the JDK and has none; publish an object of a class of your own, or JSON and its type: EventEnvelope.builder(type).payloadJson(json) in the outbox, Event.of(type, json) in the event bus"
              .formatted(payload));
    }
    if (type == null) {
      throw new IllegalArgumentException(
          "payload %1$s must have an event type but has none; put @PayloadType(\"%2$s\") on it, or register it with Payloads.with(%2$s.class, \"%2$s\")"
              .formatted(payload, payload.getSimpleName()));
    }
    return checked(payload, type);
  }

  private @Nullable String registered(Class<?> payload) {
    PayloadType annotation =
        Objects.requireNonNull(payload, "payload").getAnnotation(PayloadType.class);
    return annotation == null ? types.get(payload) : annotation.value();
  }

  private static String checked(Class<?> payload, String type) {
    if (type.isBlank() || type.length() > MAX_TYPE_LENGTH || !type.equals(type.strip())) {
      throw new IllegalArgumentException(
          "event type of payload %s must have 1 to %d characters and no white space at its ends but is '%s'; correct it"
              .formatted(payload, MAX_TYPE_LENGTH, type));
    }
    return type;
  }

  /**
   * Writes a payload.
   *
   * @param payload an object of the application
   * @return JSON
   * @throws PayloadException if it cannot be written
   * @throws IllegalStateException if there is no mapper
   */
  public String write(Object payload) {
    return mapper().write(payload);
  }

  /**
   * Reads a payload.
   *
   * @param json the payload of an event; null for one that has bytes instead
   * @param type the class that a handler takes
   * @return the payload
   * @throws PayloadException if it cannot be read as that class
   * @throws IllegalStateException if there is no mapper
   */
  public <P> P read(@Nullable String json, Class<P> type) {
    if (json == null) {
      throw new PayloadException(
          "payload must be JSON to be read as %s but is bytes; let the listener take the event instead"
              .formatted(type.getName()));
    }
    return mapper().read(json, type);
  }

  /**
   * The mapper that writes and reads.
   *
   * @return the mapper
   * @throws IllegalStateException if none was given and none is on the class path
   */
  public PayloadMapper mapper() {
    return mapper.get();
  }
}
