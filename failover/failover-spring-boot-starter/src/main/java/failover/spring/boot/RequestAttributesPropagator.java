package failover.spring.boot;

import failover.execution.ContextPropagator;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * Carries the attributes of the request, also that there is none. Only on request: a call that ends
 * after its caller has left may use a request that is over. Stateless; not loaded where there is no
 * Spring Web.
 */
final class RequestAttributesPropagator implements ContextPropagator {

  @Override
  public Runnable wrap(Runnable task) {
    RequestAttributes callers = RequestContextHolder.getRequestAttributes();
    return () -> {
      RequestAttributes own = RequestContextHolder.getRequestAttributes();
      set(callers);
      try {
        task.run();
      } finally {
        set(own);
      }
    };
  }

  private static void set(@Nullable RequestAttributes attributes) {
    if (attributes == null) {
      RequestContextHolder.resetRequestAttributes();
    } else {
      RequestContextHolder.setRequestAttributes(attributes);
    }
  }
}
