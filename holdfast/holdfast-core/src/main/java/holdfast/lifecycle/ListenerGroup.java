package holdfast.lifecycle;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Several listeners that are called one after the other, each whatever the others throw. Safe for
 * use by many threads if they are.
 *
 * @param <L> the listener
 */
public final class ListenerGroup<L> {
  private final List<L> all;

  /** Creates a group that calls these listeners, in this order. */
  public ListenerGroup(List<? extends L> all) {
    this.all = List.copyOf(all);
  }

  /**
   * Calls every listener.
   *
   * @throws RuntimeException what the first of them threw, after all were called; what others threw
   *     is suppressed in it
   */
  public void call(Consumer<? super L> event) {
    RuntimeException first = null;
    for (L one : all) {
      first = firstOf(first, failure(one, event));
    }
    if (first != null) {
      throw first;
    }
  }

  private static <L> @Nullable RuntimeException failure(L one, Consumer<? super L> event) {
    try {
      event.accept(one);
      return null;
    } catch (RuntimeException e) {
      return e;
    }
  }

  @SuppressWarnings("ReferenceEquality") // an exception refuses to suppress its very self
  private static @Nullable RuntimeException firstOf(
      @Nullable RuntimeException first, @Nullable RuntimeException next) {
    if (first != null && next != null && first != next) {
      first.addSuppressed(next);
    }
    return first == null ? next : first;
  }
}
