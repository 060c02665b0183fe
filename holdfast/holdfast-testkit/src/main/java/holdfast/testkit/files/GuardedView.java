package holdfast.testkit.files;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.attribute.FileAttributeView;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A view of attributes whose setters are changes and whose getters ask a living process. Safe for
 * use by many threads, as the view behind it.
 */
final class GuardedView implements InvocationHandler {

  private final Changes changes;
  private final ProcessLife life;
  private final FaultyPath path;
  private final FileAttributeView real;

  GuardedView(Changes changes, ProcessLife life, FaultyPath path, FileAttributeView real) {
    this.changes = changes;
    this.life = life;
    this.path = path;
    this.real = real;
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws IOException {
    life.requireAlive();
    Optional<Object> result =
        method.getName().startsWith("set")
            ? changes.changeAttributes(path, () -> call(method, arguments))
            : call(method, arguments);
    return result.orElse(null);
  }

  private Optional<Object> call(Method method, Object @Nullable [] arguments) throws IOException {
    try {
      return Optional.ofNullable(method.invoke(real, arguments));
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException refusal) {
        throw refusal;
      }
      throw e.getCause() instanceof IOException trouble ? trouble : new IOException(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IOException(method + " must be callable but is not", e);
    }
  }
}
