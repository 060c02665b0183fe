package holdfast.spring.boot;

import holdfast.jdbc.DeliveryControl;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What an endpoint answers when it has paused or resumed a type. Immutable.
 *
 * @param paused the types that no node handles now, and since when; {@code *} stands for all
 */
public record PausedAnswer(Map<String, Instant> paused) implements OperationResponseBody {
  private static final String ALL = "*";

  /**
   * Pauses a type, or all of them if it is {@code *}.
   *
   * @throws InvalidEndpointRequestException if none is given
   */
  public static PausedAnswer pause(DeliveryControl control, @Nullable String type) {
    control.pause(required(type));
    return new PausedAnswer(control.paused());
  }

  /**
   * Resumes a type, or everything if it is {@code *}.
   *
   * @throws InvalidEndpointRequestException if none is given
   */
  public static PausedAnswer resume(DeliveryControl control, @Nullable String type) {
    String known = required(type);
    if (known.equals(ALL)) {
      control.resumeAll();
    } else {
      control.resume(known);
    }
    return new PausedAnswer(control.paused());
  }

  /** Returns what is paused; null if nothing is. */
  public static @Nullable Map<String, Instant> nullIfNone(DeliveryControl control) {
    Map<String, Instant> paused = control.paused();
    return paused.isEmpty() ? null : paused;
  }

  private static String required(@Nullable String type) {
    if (type == null || type.isEmpty()) {
      throw EndpointRequests.refused("type must be that of the events, or * for all types");
    }
    return type;
  }
}
