package failover.execution;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The status in the failures of HTTP clients. They are known by the names of their exceptions, so
 * that none of them has to be there. Stateless.
 */
final class HttpStatus {
  private static final int NOT_FOUND = 404;
  private static final int GONE = 410;

  /** Where the status stands: the methods to call, one on the answer of the other. */
  private static final Map<String, List<String>> PATHS =
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

  private HttpStatus() {}

  /** Whether a server says that what was asked for is not there. */
  static boolean isGone(Throwable failure) {
    int status = of(failure);
    return status == NOT_FOUND || status == GONE;
  }

  /** The status, or 0 if there is none or it cannot be read. */
  static int of(Throwable failure) {
    for (@Nullable Class<?> at = failure.getClass(); at != null; at = at.getSuperclass()) {
      List<String> path = PATHS.get(at.getName());
      if (path != null) {
        return status(failure, at, path);
      }
    }
    return 0;
  }

  private static int status(Throwable failure, Class<?> type, List<String> path) {
    try {
      Object at = failure;
      Class<?> owner = type;
      for (String name : path) {
        Method method = owner.getMethod(name);
        at = method.invoke(at);
        if (at == null) {
          return 0;
        }
        owner = method.getReturnType(); // public, which the class behind it need not be
      }
      return at instanceof Integer status ? status : 0;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return 0; // then nothing is known against recovering
    }
  }
}
