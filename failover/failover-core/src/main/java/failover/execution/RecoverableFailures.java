package failover.execution;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Predicate;

/** Which failures may be recovered. Stateless. */
public final class RecoverableFailures {
  private RecoverableFailures() {}

  /**
   * Everything but mistakes of the caller: illegal arguments, failed validation, the answers 400 to
   * 499 of known HTTP clients except 408, 425 and 429. Interrupts and cancellations are the
   * caller's wish, too.
   */
  public static Predicate<Throwable> byDefault() {
    return failure ->
        !(failure instanceof InterruptedException)
            && !(failure instanceof CancellationException)
            && !CallerMistakes.contains(failure);
  }

  /** Every exception. */
  public static Predicate<Throwable> any() {
    return failure -> true;
  }

  /**
   * Failures of some types but not of others.
   *
   * @param recoverOn the types to recover; none for those that are recovered by default
   * @param neverOn the types never to recover
   */
  public static Predicate<Throwable> of(
      Collection<Class<? extends Throwable>> recoverOn,
      Collection<Class<? extends Throwable>> neverOn) {
    List<Class<? extends Throwable>> yes = List.copyOf(recoverOn);
    List<Class<? extends Throwable>> no = List.copyOf(neverOn);
    Predicate<Throwable> otherwise = byDefault();
    return failure ->
        !isAny(no, failure) && (yes.isEmpty() ? otherwise.test(failure) : isAny(yes, failure));
  }

  private static boolean isAny(List<Class<? extends Throwable>> types, Throwable failure) {
    return types.stream().anyMatch(type -> type.isInstance(failure));
  }
}
