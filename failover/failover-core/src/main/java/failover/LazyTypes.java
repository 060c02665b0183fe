package failover;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Types whose objects ask the source only when somebody subscribes, after the call has ended. They
 * are known by their names, so that none of them has to be there. Stateless.
 */
final class LazyTypes {
  private static final Set<String> NAMES =
      Set.of(
          "org.reactivestreams.Publisher",
          "java.util.concurrent.Flow$Publisher",
          "io.reactivex.rxjava3.core.SingleSource",
          "io.reactivex.rxjava3.core.MaybeSource",
          "io.reactivex.rxjava3.core.ObservableSource",
          "io.reactivex.rxjava3.core.CompletableSource");

  private LazyTypes() {}

  /** Whether the type is one of them, such as Mono and Flux of Reactor. */
  static boolean contains(Type type) {
    return type instanceof ParameterizedType generic
        ? contains(generic.getRawType())
        : type instanceof Class<?> raw && isLazy(raw);
  }

  private static boolean isLazy(@Nullable Class<?> type) {
    if (type == null) {
      return false;
    }
    if (NAMES.contains(type.getName()) || isLazy(type.getSuperclass())) {
      return true;
    }
    for (Class<?> above : type.getInterfaces()) {
      if (isLazy(above)) {
        return true;
      }
    }
    return false;
  }
}
