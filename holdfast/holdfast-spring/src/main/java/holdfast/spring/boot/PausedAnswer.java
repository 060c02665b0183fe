package holdfast.spring.boot;

import holdfast.jdbc.DeliveryControl;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What an endpoint answers when it has paused or resumed a type. Immutable.
 *
 * @param paused the types that no node handles now, and since when; {@code *} stands for all
 */
public record PausedAnswer(Map<String, Instant> paused) implements OperationResponseBody {
  /**
   * Pauses a type, or all of them if it is {@code *}.
   *
   * @throws InvalidEndpointRequestException if none is given, or one that no event can have
   */
  public static PausedAnswer pause(DeliveryControl control, @Nullable String type) {
    changed(control::pause, type);
    return new PausedAnswer(control.paused());
  }

  /**
   * Resumes a type, or everything if it is {@code *}.
   *
   * @throws InvalidEndpointRequestException if none is given, or one that no event can have
   */
  public static PausedAnswer resume(DeliveryControl control, @Nullable String type) {
    changed(control::resume, type);
    return new PausedAnswer(control.paused());
  }

  /** Returns what is paused; null if nothing is. */
  public static @Nullable Map<String, Instant> nullIfNone(DeliveryControl control) {
    Map<String, Instant> paused = control.paused();
    return paused.isEmpty() ? null : paused;
  }

  private static void changed(Consumer<String> change, @Nullable String type) {
    if (type == null) {
      throw EndpointRequests.refused("type must be that of the events, or * for all types");
    }
    try {
      change.accept(type);
    } catch (IllegalArgumentException e) {
      throw EndpointRequests.refused(String.valueOf(e.getMessage()));
    }
  }
}
