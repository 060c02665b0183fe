package outbox.dispatch;

import java.io.PrintWriter;
import java.io.Writer;
import org.jspecify.annotations.Nullable;

/**
 * What can be logged of a failure. Exceptions are the application's code: one that cannot be
 * printed must not keep the line about its event from being logged. Stateless.
 */
final class FailureText {
  private FailureText() {}

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
