package tracer.spring.boot;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.log.LibraryLogger;
import holdfast.spring.AdvicePlacement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import tracer.TraceEvent;
import tracer.spring.Traced;

/** The kinds of events of {@link Traced} methods. Safe for use by many threads. */
final class TracedMethods {
  private static final System.Logger LOG = LibraryLogger.of("tracer");

  private final Map<MethodClassKey, Optional<TraceEvent>> known = new ConcurrentHashMap<>();

  /**
   * The annotation that counts for a method: its own, or that of a type, which concerns public
   * methods; null if there is none.
   */
  static @Nullable Traced annotation(Method method, Class<?> type) {
    Traced own = AnnotatedElementUtils.findMergedAnnotation(method, Traced.class);
    boolean isOfType =
        own == null
            && Modifier.isPublic(method.getModifiers())
            && method.getDeclaringClass() != Object.class;
    return isOfType ? AnnotatedElementUtils.findMergedAnnotation(type, Traced.class) : own;
  }

  /** The kind of the spans of a method; null if it has none. */
  @Nullable TraceEvent eventOf(Method called, @Nullable Class<?> target) {
    Class<?> type = ClassUtils.getUserClass(target == null ? called.getDeclaringClass() : target);
    MethodClassKey key = new MethodClassKey(called, type);
    Optional<TraceEvent> event = known.get(key);
    if (event == null) {
      event = Optional.ofNullable(named(AopUtils.getMostSpecificMethod(called, type), type));
      known.put(key, event);
    }
    return event.orElse(null);
  }

  private static @Nullable TraceEvent named(Method method, Class<?> type) {
    Traced annotation = annotation(method, type);
    if (annotation == null) {
      return null;
    }
    try {
      return TraceEvent.named(name(annotation, method, type));
    } catch (IllegalStateException | IllegalArgumentException e) {
      LOG.log(
          WARNING,
          "tracer method is not traced method="
              + AdvicePlacement.nameOf(method)
              + ": "
              + e.getMessage());
      return null;
    }
  }

  private static String name(Traced annotation, Method method, Class<?> type) {
    if (!annotation.value().isEmpty()) {
      return annotation.value();
    }
    String simple = type.getSimpleName(); // of an anonymous class it is empty
    return (simple.isEmpty() ? ClassUtils.getShortName(type) : simple) + "." + method.getName();
  }
}
