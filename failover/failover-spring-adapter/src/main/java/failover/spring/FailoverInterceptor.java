package failover.spring;

import failover.proxy.AnnotatedPoints.AnnotatedPoint;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.util.ClassUtils;

/** Hands an annotated call to {@link failover.Failovers}. Safe for use by many threads. */
final class FailoverInterceptor implements MethodInterceptor {
  /** The point of a method where it is called on objects of a class. */
  private record Known(@Nullable Class<?> type, @Nullable AnnotatedPoint point) {}

  private final Supplier<FailoverMethods> supplier;

  // Nearly every method is called on objects of one class, and found without making a key.
  private final Map<Method, Known> first = new ConcurrentHashMap<>();
  private final Map<MethodClassKey, Known> all = new ConcurrentHashMap<>();

  private volatile @Nullable FailoverMethods found;

  FailoverInterceptor(Supplier<FailoverMethods> methods) {
    this.supplier = methods;
  }

  /** Looked for with the first call, and then known. */
  private FailoverMethods methods() {
    FailoverMethods known = found;
    if (known == null) {
      known = supplier.get();
      found = known;
    }
    return known;
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object target = invocation.getThis();
    Class<?> type = target == null ? null : target.getClass();
    Known known = first.get(invocation.getMethod());
    if (known == null || known.type != type) {
      known = find(invocation.getMethod(), target, type);
    }
    AnnotatedPoint point = known.point;
    return point == null
        ? invocation.proceed()
        : point.call(
            methods().failovers(), Arrays.asList(invocation.getArguments()), invocation::proceed);
  }

  private Known find(Method method, @Nullable Object target, @Nullable Class<?> type) {
    MethodClassKey key = new MethodClassKey(method, type);
    Known known = all.get(key);
    if (known == null) {
      Class<?> targetClass =
          target == null
              ? method.getDeclaringClass()
              : ClassUtils.getUserClass(AopUtils.getTargetClass(target));
      Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
      known = new Known(type, methods().pointOf(specific, targetClass).orElse(null));
      all.put(key, known);
      first.putIfAbsent(method, known);
    }
    return known;
  }
}
