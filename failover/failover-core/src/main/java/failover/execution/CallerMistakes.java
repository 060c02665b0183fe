package failover.execution;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells failures that the caller is to blame for. Clients are known by the names of their
 * exceptions, so that none of them has to be there. Stateless.
 */
final class CallerMistakes {
  private static final Set<String> VALIDATION =
      Set.of("jakarta.validation.ValidationException", "javax.validation.ValidationException");

  /** Where the status stands: the methods to call, one on the answer of the other. */
  private static final Map<String, List<String>> STATUS =
      Map.of(
          "org.springframework.web.client.RestClientResponseException",
          List.of("getStatusCode", "value"),
          "org.springframework.web.reactive.function.client.WebClientResponseException",
          List.of("getStatusCode", "value"),
          "feign.FeignException",
          List.of("status"),
          "jakarta.ws.rs.WebApplicationException",
          List.of("getResponse", "getStatus"),
          "retrofit2.HttpException",
          List.of("code"));

  private static final Set<Integer> WORTH_ANOTHER_TRY = Set.of(408, 425, 429);

  private CallerMistakes() {}

  static boolean contains(Throwable failure) {
    if (failure instanceof IllegalArgumentException) {
      return true;
    }
    for (@Nullable Class<?> at = failure.getClass(); at != null; at = at.getSuperclass()) {
      if (VALIDATION.contains(at.getName())) {
        return true;
      }
      List<String> path = STATUS.get(at.getName());
      if (path != null) {
        return isMistake(status(failure, at, path));
      }
    }
    return false;
  }

  private static boolean isMistake(int status) {
    return status >= 400 && status < 500 && !WORTH_ANOTHER_TRY.contains(status);
  }

  /** The status, or 0 if it cannot be read: then nothing is known against recovering. */
  private static int status(Throwable failure, Class<?> type, List<String> path) {
    try {
      Object at = failure;
      Class<?> owner = type;
      for (String method : path) {
        at = owner.getMethod(method).invoke(at);
        if (at == null) {
          return 0;
        }
        owner = publicTypeOf(at, path.get(path.size() - 1));
      }
      return at instanceof Integer status ? status : 0;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return 0;
    }
  }

  /** The class may be hidden while the interface that has the method is not. */
  private static Class<?> publicTypeOf(Object value, String method) {
    for (Class<?> type : value.getClass().getInterfaces()) {
      try {
        type.getMethod(method);
        return type;
      } catch (NoSuchMethodException e) {
        // the next one may have it
      }
    }
    return value.getClass();
  }
}
