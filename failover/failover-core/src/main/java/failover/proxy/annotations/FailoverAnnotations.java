package failover.proxy.annotations;

import failover.Failover;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds {@link Failover} on methods and types, also where another annotation carries it, and says
 * what one on a type means for each of its methods. Stateless.
 */
public final class FailoverAnnotations {
  private FailoverAnnotations() {}

  /**
   * Returns the annotation of a method or type: its own, or the one that another of its annotations
   * carries.
   *
   * @throws IllegalArgumentException if an attribute of the other annotation does not fit
   */
  public static Optional<Failover> of(AnnotatedElement element) {
    return Optional.ofNullable(of(element, new HashSet<>()));
  }

  private static @Nullable Failover of(AnnotatedElement element, Set<Class<?>> seen) {
    Failover own = element.getDeclaredAnnotation(Failover.class);
    if (own != null) {
      return own;
    }
    for (Annotation other : element.getDeclaredAnnotations()) {
      Failover carried = seen.add(other.annotationType()) ? of(other.annotationType(), seen) : null;
      if (carried != null) {
        return composed(carried, other);
      }
    }
    return null;
  }

  /**
   * Returns the annotation with the attributes of the one that carries it, in place of its own of
   * the same names.
   *
   * @param carried the annotation
   * @param carrier an annotation whose type has the first one
   * @throws IllegalArgumentException if an attribute of that name is of another type
   */
  public static Failover composed(Failover carried, Annotation carrier) {
    Map<String, Object> replaced = new HashMap<>();
    for (Method attribute : Failover.class.getDeclaredMethods()) {
      Arrays.stream(carrier.annotationType().getDeclaredMethods())
          .filter(own -> own.getName().equals(attribute.getName()))
          .forEach(own -> replaced.put(own.getName(), value(carrier, own, attribute)));
    }
    return replaced.isEmpty() ? carried : with(carried, replaced);
  }

  private static Object value(Annotation carrier, Method own, Method attribute) {
    if (own.getReturnType() != attribute.getReturnType()) {
      throw new IllegalArgumentException(
          "%s of @%s must be of %s, as in @Failover, but is of %s; change its type or its name"
              .formatted(
                  own.getName(),
                  carrier.annotationType().getName(),
                  attribute.getReturnType().getSimpleName(),
                  own.getReturnType().getSimpleName()));
    }
    try {
      own.trySetAccessible(); // the annotation need not be public
      return own.invoke(carrier);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalArgumentException(
          "%s of @%s must be readable but is not; make the annotation public, and export its package"
              .formatted(own.getName(), carrier.annotationType().getName()),
          e);
    }
  }

  /**
   * Returns what the annotation of a type says of one of its methods: a point whose name is that of
   * the annotation and that of the method, as in {@code shop-price}.
   *
   * @return nothing if the method is not public, is static, has no result, or is one of {@link
   *     Object}
   */
  public static Optional<Failover> forMethod(Failover ofType, Method method) {
    if (!isCovered(method)) {
      return Optional.empty();
    }
    return ofType.name().isEmpty()
        ? Optional.of(ofType)
        : Optional.of(with(ofType, Map.of("name", ofType.name() + "-" + method.getName())));
  }

  private static boolean isCovered(Method method) {
    return Modifier.isPublic(method.getModifiers())
        && !Modifier.isStatic(method.getModifiers())
        && !method.isSynthetic()
        && hasResult(method)
        && Arrays.stream(Object.class.getMethods()).noneMatch(it -> isSame(it, method));
  }

  private static boolean hasResult(Method method) {
    return method.getReturnType() != void.class
        && method.getReturnType() != Void.class
        && !(method.getGenericReturnType() instanceof ParameterizedType generic
            && generic.getActualTypeArguments()[0] == Void.class);
  }

  private static boolean isSame(Method one, Method other) {
    return one.getName().equals(other.getName())
        && Arrays.equals(one.getParameterTypes(), other.getParameterTypes());
  }

  private static Failover with(Failover annotation, Map<String, Object> replaced) {
    return (Failover)
        Proxy.newProxyInstance(
            Failover.class.getClassLoader(),
            new Class<?>[] {Failover.class},
            new Attributes(annotation, replaced));
  }

  /** An annotation some of whose attributes are replaced; equal to itself alone. */
  private record Attributes(Failover annotation, Map<String, Object> replaced)
      implements InvocationHandler {
    @Override
    @SuppressWarnings("ReferenceEquality") // an annotation is asked whether it is itself
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args)
        throws Throwable {
      return switch (method.getName()) {
        case "equals" -> args != null && proxy == args[0];
        case "hashCode" -> System.identityHashCode(proxy);
        case "toString" -> annotation + " with " + replaced.keySet();
        default -> {
          Object value = replaced.get(method.getName());
          yield value == null ? method.invoke(annotation) : value;
        }
      };
    }
  }
}
