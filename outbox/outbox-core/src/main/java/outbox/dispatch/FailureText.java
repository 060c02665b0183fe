package outbox.dispatch;

import java.io.PrintWriter;
import java.io.Writer;
import org.jspecify.annotations.Nullable;

/**
 * What can be told of a failure. Exceptions are the application's code: one whose message cannot be
 * read must not keep its event from being marked, nor the line about it from being logged.
 * Stateless.
 */
final class FailureText {
  private FailureText() {}

  /** Class and message; the class alone if there is no message or asking for it fails. */
  static String of(Throwable failure) {
    String name = failure.getClass().getName();
    String message = messageOf(failure);
    return message == null ? name : name + ": " + message;
  }

  private static @Nullable String messageOf(Throwable failure) {
    try {
      return failure.getMessage();
    } catch (Throwable ofTheMessage) { // the failure itself is what counts
      return null;
    }
  }

  /** The failure if its stack trace can be printed, with those of its causes; null if not. */
  static @Nullable Throwable printable(@Nullable Throwable failure) {
    if (failure == null) {
      return null;
    }
    try {
      failure.printStackTrace(new PrintWriter(Writer.nullWriter()));
      return failure;
    } catch (Throwable ofThePrinting) { // a logger would fail the same way and lose the line
      return null;
    }
  }
}
