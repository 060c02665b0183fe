package tracer.spring.boot;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.ObjectProvider;
import tracer.TraceEvent;
import tracer.TraceSpan;
import tracer.Tracer;

/**
 * Records a span of each call of a {@link tracer.spring.Traced} method. The call returns or throws
 * as without it. Safe for use by many threads.
 */
final class TracedAdvice implements MethodInterceptor {
  private final ObjectProvider<Tracer> provider;
  private final TracedMethods methods = new TracedMethods();
  private volatile @Nullable Tracer tracer;

  /** The tracer is asked for at the first call: when advice is made, beans are not there yet. */
  TracedAdvice(ObjectProvider<Tracer> provider) {
    this.provider = provider;
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object target = invocation.getThis();
    TraceEvent event =
        methods.eventOf(invocation.getMethod(), target == null ? null : target.getClass());
    Tracer recording = event == null ? null : tracer();
    if (event == null || recording == null) {
      return invocation.proceed();
    }
    TraceSpan span = recording.index().span(event);
    try {
      return invocation.proceed();
    } finally {
      span.close();
    }
  }

  private @Nullable Tracer tracer() {
    Tracer found = tracer;
    if (found == null) {
      try {
        found = provider.getIfUnique();
      } catch (BeansException e) {
        return null; // the call is part of making the tracer, or its context has ended
      }
      tracer = found;
    }
    return found;
  }
}
