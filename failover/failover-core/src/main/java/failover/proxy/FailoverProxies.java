package failover.proxy;

import failover.Failover;
import failover.Failovers;
import holdfast.log.LibraryLogger;
import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Puts proxies of interfaces before objects, for use without a container. Stateless.
 *
 * <p>A method is protected if it is annotated in the interface or in the object's class, which
 * wins. Calls of an object to its own methods do not pass the proxy.
 */
public final class FailoverProxies {
  private static final System.Logger LOGGER = LibraryLogger.of("failover");

  private FailoverProxies() {}

  /** A proxy whose annotations name nothing. */
  public static <I> I protect(Failovers failovers, Class<I> type, I target) {
    return protect(failovers, type, target, AnnotatedPoints.plain());
  }

  /**
   * A proxy before an object.
   *
   * @param failovers the door that calls go through
   * @param type the interface
   * @param target the object
   * @param points builds the points
   * @throws IllegalArgumentException if the type is no interface, if no method is annotated, or if
   *     an annotation does not fit
   */
  public static <I> I protect(
      Failovers failovers, Class<I> type, I target, AnnotatedPoints points) {
    if (!type.isInterface()) {
      throw new IllegalArgumentException(
          type + " must be an interface but is not; pass an interface that the object implements");
    }
    Map<Method, AnnotatedPoint> protectedMethods = new HashMap<>();
    for (Method method : type.getMethods()) {
      pointOf(method, target.getClass(), points)
          .ifPresent(point -> protectedMethods.put(method, checked(failovers, method, point)));
    }
    if (protectedMethods.isEmpty()) {
      throw new IllegalArgumentException(
          "%s or %s must have a method with @Failover but has none; annotate the methods to be protected"
              .formatted(type.getName(), target.getClass().getName()));
    }
    InvocationHandler handler =
        (proxy, method, args) -> {
          List<@Nullable Object> given = args == null ? List.of() : Arrays.asList(args);
          AnnotatedPoint point = protectedMethods.get(method);
          return point == null
              ? invoke(method, target, given)
              : point.call(failovers, given, () -> invoke(method, target, given));
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static AnnotatedPoint checked(Failovers failovers, Method method, AnnotatedPoint point) {
    if (point.shape() == AnnotatedPoint.Shape.NOTHING) {
      LOGGER.log(
          Level.WARNING,
          "failover point has no answer to keep, its calls pass name={0} method={1}",
          point.spec().name(),
          method);
    } else {
      failovers.register(point.spec());
    }
    return point;
  }

  private static Optional<AnnotatedPoint> pointOf(
      Method method, Class<?> target, AnnotatedPoints points) {
    Method own = sameIn(target, method);
    Failover wins = own == null ? null : own.getAnnotation(Failover.class);
    if (own == null || wins == null) {
      Failover annotation = method.getAnnotation(Failover.class);
      return annotation == null ? Optional.empty() : points.of(annotation, method, target);
    }
    // A bridge has the annotation of the method that it leads to, but not its types.
    return points.of(wins, own.isBridge() ? method : own, target);
  }

  private static @Nullable Method sameIn(Class<?> target, Method method) {
    try {
      return target.getMethod(method.getName(), method.getParameterTypes());
    } catch (NoSuchMethodException e) {
      return null; // a class that is not public may hide it
    }
  }

  private static @Nullable Object invoke(
      Method method, Object target, List<? extends @Nullable Object> args) throws Throwable {
    try {
      method.trySetAccessible(); // the interface need not be public
      return method.invoke(target, args.toArray());
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
