package eventlog.spring;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import eventlog.AsyncEventLogger;
import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Logs calls of {@link LogEvent} methods. Whatever goes wrong with that is its own affair: the call
 * returns or throws as if nobody looked. Safe for use by many threads.
 */
final class LogEventAdvice implements MethodInterceptor {
  private static final System.Logger LOG = LibraryLogger.of("eventlog");

  private final ObjectProvider<AsyncEventLogger> logger;
  private final ObjectProvider<EventLogContext> context;
  private final ObjectProvider<TimeSource> time;
  private final Map<MethodClassKey, LoggedMethod> methods = new ConcurrentHashMap<>();
  private final AtomicBoolean warned = new AtomicBoolean();

  /** Asked for when the first call comes: when advice is made, beans are not there yet. */
  LogEventAdvice(
      ObjectProvider<AsyncEventLogger> logger,
      ObjectProvider<EventLogContext> context,
      ObjectProvider<TimeSource> time) {
    this.logger = logger;
    this.context = context;
    this.time = time;
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    LoggedCall call = begin(invocation);
    if (call == null) {
      return invocation.proceed();
    }
    Object result;
    try {
      result = invocation.proceed();
    } catch (Throwable e) {
      quietly(call::leave);
      quietly(() -> call.failed(e));
      throw e;
    }
    quietly(call::leave);
    quietly(() -> call.returned(result, this::quietly));
    return result;
  }

  private @Nullable LoggedCall begin(MethodInvocation invocation) {
    try {
      LoggedMethod method = method(invocation);
      AsyncEventLogger to = logger.getIfAvailable();
      EventLogContext from = context.getIfAvailable();
      if (method == null || to == null || from == null) {
        return null;
      }
      LoggedCall call = new LoggedCall(method, to, from, time.getIfUnique(TimeSource::system));
      quietly(call::begun);
      return call;
    } catch (Throwable e) {
      failed(e);
      return null;
    }
  }

  private @Nullable LoggedMethod method(MethodInvocation invocation) {
    Object target = invocation.getThis();
    Class<?> type = target == null ? null : AopUtils.getTargetClass(target);
    MethodClassKey key = new MethodClassKey(invocation.getMethod(), type);
    LoggedMethod known = methods.get(key);
    if (known == null) {
      Method method = AopUtils.getMostSpecificMethod(invocation.getMethod(), type);
      LogEvent annotation = AnnotatedElementUtils.findMergedAnnotation(method, LogEvent.class);
      if (annotation == null) {
        return null;
      }
      known = LoggedMethod.of(annotation, type == null ? method.getDeclaringClass() : type, method);
      methods.put(key, known);
    }
    return known;
  }

  private void quietly(Runnable logging) {
    try {
      logging.run();
    } catch (Throwable e) {
      failed(e);
    }
  }

  /** Once in full view: what goes wrong for one call does so for most. */
  private void failed(Throwable e) {
    try {
      LOG.log(
          warned.compareAndSet(false, true) ? WARNING : DEBUG, "eventlog @LogEvent not logged", e);
    } catch (RuntimeException | Error again) {
      // Nothing is left to try, and the method's caller must not pay for it.
    }
  }
}
