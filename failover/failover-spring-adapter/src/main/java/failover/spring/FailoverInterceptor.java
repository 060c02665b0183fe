package failover.spring;

import failover.proxy.AnnotatedPoint;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;

/** Hands an annotated call to the door. Safe for use by many threads. */
final class FailoverInterceptor implements MethodInterceptor {
  private final Supplier<FailoverMethods> methods;
  private final Map<MethodClassKey, Optional<AnnotatedPoint>> points = new ConcurrentHashMap<>();

  FailoverInterceptor(Supplier<FailoverMethods> methods) {
    this.methods = methods;
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object target = invocation.getThis();
    Class<?> type = target == null ? null : AopUtils.getTargetClass(target);
    MethodClassKey key = new MethodClassKey(invocation.getMethod(), type);
    Optional<AnnotatedPoint> known = points.get(key);
    if (known == null) {
      known = methods.get().pointOf(AopUtils.getMostSpecificMethod(invocation.getMethod(), type));
      points.put(key, known);
    }
    return known.isEmpty()
        ? invocation.proceed()
        : known
            .get()
            .call(
                methods.get().failovers(),
                Arrays.asList(invocation.getArguments()),
                invocation::proceed);
  }
}
