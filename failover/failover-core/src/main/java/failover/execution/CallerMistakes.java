package failover.execution;

import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells failures that the caller is to blame for. Stateless. */
final class CallerMistakes {
  private static final Set<String> VALIDATION =
      Set.of("jakarta.validation.ValidationException", "javax.validation.ValidationException");

  /** Illegal arguments by their type, but of a connection that fails or of an answer. */
  private static final Set<Class<?>> NOT_OF_THE_CALLER =
      Set.of(
          UnresolvedAddressException.class,
          UnsupportedAddressTypeException.class,
          UnsupportedCharsetException.class,
          IllegalCharsetNameException.class);

  private static final Set<Integer> WORTH_ANOTHER_TRY = Set.of(408, 425, 429);

  private CallerMistakes() {}

  static boolean contains(Throwable failure) {
    return failure instanceof IllegalArgumentException
        ? !NOT_OF_THE_CALLER.contains(failure.getClass())
        : isValidation(failure) || isMistake(HttpStatus.of(failure));
  }

  private static boolean isValidation(Throwable failure) {
    for (@Nullable Class<?> at = failure.getClass(); at != null; at = at.getSuperclass()) {
      if (VALIDATION.contains(at.getName())) {
        return true;
      }
    }
    return false;
  }

  private static boolean isMistake(int status) {
    return status >= 400 && status < 500 && !WORTH_ANOTHER_TRY.contains(status);
  }
}
