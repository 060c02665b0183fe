package failover.spring;

import failover.execution.ContextPropagator;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Carries the log context. Stateless. */
public final class MdcContextPropagator implements ContextPropagator {

  /** The log context of the current thread, whichever that is. */
  public MdcContextPropagator() {}

  @Override
  public Runnable wrap(Runnable task) {
    Map<String, String> callers = MDC.getCopyOfContextMap();
    return () -> {
      Map<String, String> own = MDC.getCopyOfContextMap();
      set(callers);
      try {
        task.run();
      } finally {
        set(own);
      }
    };
  }

  private static void set(@Nullable Map<String, String> context) {
    if (context == null) {
      MDC.clear();
    } else {
      MDC.setContextMap(context);
    }
  }
}
