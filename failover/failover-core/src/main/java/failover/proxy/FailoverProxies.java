package failover.proxy;

import failover.Failover;
import failover.Failovers;
import failover.proxy.AnnotatedPoints.AnnotatedPoint;
import failover.proxy.annotations.FailoverAnnotations;
import holdfast.log.LibraryLogger;
import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
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
 * wins, or if one of the two is annotated itself. Calls of an object to its own methods do not pass
 * the proxy.
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
   * @param failovers what calls go through
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
      pointOf(method, type, target.getClass(), points)
          .ifPresent(point -> protectedMethods.put(method, checked(failovers, method, point)));
    }
    if (protectedMethods.isEmpty()) {
      throw new IllegalArgumentException(
          "%s or %s must have a method with @Failover but has none; annotate the methods to be protected"
              .formatted(type.getName(), target.getClass().getName()));
    }
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            new Calls(failovers, target, protectedMethods)));
  }

  /**
   * Hands calls of annotated methods to the entry point, and others to the object itself. Proxies
   * are equal if their objects are.
   */
  private record Calls(Failovers failovers, Object target, Map<Method, AnnotatedPoint> points)
      implements InvocationHandler {
    @Override
    @SuppressWarnings("ReferenceEquality") // a proxy is asked whether it is itself
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args)
        throws Throwable {
      List<@Nullable Object> given = args == null ? List.of() : Arrays.asList(args);
      AnnotatedPoint point = points.get(method);
      if (point != null) {
        return point.call(failovers, given, () -> FailoverProxies.invoke(method, target, given));
      }
      return isEquals(method)
          ? proxy == given.get(0) || target.equals(targetOf(given.get(0)))
          : FailoverProxies.invoke(method, target, given);
    }

    private static boolean isEquals(Method method) {
      return method.getDeclaringClass() == Object.class && method.getName().equals("equals");
    }

    /** The object behind another proxy of this kind; null if it is none. */
    private static @Nullable Object targetOf(@Nullable Object other) {
      return other != null
              && Proxy.isProxyClass(other.getClass())
              && Proxy.getInvocationHandler(other) instanceof Calls calls
          ? calls.target
          : null;
    }
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
      Method method, Class<?> type, Class<?> target, AnnotatedPoints points) {
    Method own = sameIn(target, method);
    Optional<Failover> wins = own == null ? Optional.empty() : FailoverAnnotations.of(own);
    if (own == null || wins.isEmpty()) {
      return FailoverAnnotations.of(method)
          .or(() -> ofTypes(method, type, target))
          .flatMap(annotation -> points.of(annotation, method, target));
    }
    // A bridge has the annotation of the method that it leads to, but not its types.
    return points.of(wins.get(), own.isBridge() ? method : own, target);
  }

  /** What the nearest annotated type says that has the method; classes come before interfaces. */
  private static Optional<Failover> ofTypes(Method method, Class<?> type, Class<?> target) {
    List<Class<?>> types = new ArrayList<>();
    for (@Nullable Class<?> at = target; at != null; at = at.getSuperclass()) {
      types.add(at);
    }
    types.add(type);
    types.add(method.getDeclaringClass());
    return types.stream()
        .filter(at -> sameIn(at, method) != null)
        .flatMap(at -> FailoverAnnotations.of(at).stream())
        .findFirst()
        .flatMap(annotation -> FailoverAnnotations.forMethod(annotation, method));
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
