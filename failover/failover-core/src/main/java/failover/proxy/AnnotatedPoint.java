package failover.proxy;

import failover.FailoverResult;
import failover.FailoverSpec;
import failover.Failovers;
import failover.Source;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The point of an annotated method. Immutable.
 *
 * @param spec the point
 * @param shape how the method gives its answer
 */
public record AnnotatedPoint(FailoverSpec<Object> spec, Shape shape) {

  /** How a method gives its answer. */
  public enum Shape {
    /** As it is. */
    PLAIN,
    /** As a stage that ends later. */
    LATER,
    /** With how fresh it is. */
    RESULT,
    /** Not at all: there is nothing to keep, and calls pass. */
    NOTHING
  }

  /**
   * Makes a call of the method.
   *
   * @param failovers the door
   * @param args the arguments
   * @param method calls the method itself
   * @return what the method is to return
   * @throws Throwable the very failure of the method
   */
  public @Nullable Object call(
      Failovers failovers, List<? extends @Nullable Object> args, Source<Object, Throwable> method)
      throws Throwable {
    return switch (shape) {
      case NOTHING -> method.get();
      case PLAIN -> failovers.callForResult(spec, args, method).value();
      case RESULT -> failovers.callForResult(spec, args, () -> unwrapped(method.get()));
      case LATER -> failovers.callLater(spec, args, () -> stage(method.get()));
    };
  }

  private static @Nullable Object unwrapped(@Nullable Object result) {
    return result instanceof FailoverResult<?> wrapped ? wrapped.value() : null;
  }

  @SuppressWarnings("unchecked") // the method's declared type
  private static @Nullable CompletionStage<Object> stage(@Nullable Object result) {
    return (CompletionStage<Object>) result;
  }
}
