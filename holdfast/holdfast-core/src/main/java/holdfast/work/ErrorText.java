package holdfast.work;

import static java.lang.Character.MAX_SURROGATE;
import static java.lang.Character.MIN_SURROGATE;

import org.jspecify.annotations.Nullable;

/** Texts of errors as tables take them. Stateless. */
public final class ErrorText {
  private static final int MAX_CHARACTERS = 4_000;

  /** Enough to show where it happened, and leaves room for the causes. */
  private static final int MAX_FRAMES = 12;

  private static final int REPLACEMENT = 0xFFFD;

  private ErrorText() {}

  /**
   * A failure as its class and message, cut as {@link #cut} does; the class alone if there is no
   * message or asking for it fails, which is the application's code.
   */
  public static String of(Throwable failure) {
    String name = failure.getClass().getName();
    String message = messageOf(failure);
    return cut(message == null ? name : name + ": " + message);
  }

  /**
   * A failure and its causes, each with the first lines of its stack, cut as {@link #cut} does; the
   * first line is that of {@link #of}.
   */
  public static String withStack(Throwable failure) {
    StringBuilder text = new StringBuilder(of(failure));
    Throwable next = failure;
    try {
      for (int i = 0; next != null && text.length() < MAX_CHARACTERS; i++) {
        text.append(i == 0 ? "" : "\nCaused by: " + of(next));
        StackTraceElement[] stack = next.getStackTrace();
        int shown = Math.min(stack.length, MAX_FRAMES);
        for (int frame = 0; frame < shown; frame++) {
          text.append("\n\tat ").append(stack[frame]);
        }
        text.append(stack.length > shown ? "\n\t... " + (stack.length - shown) + " more" : "");
        next = next.getCause(); // may go round in a circle, until the text is long enough
      }
    } catch (Throwable ofTheFailure) { // what there is so far is better than nothing
      return cut(text.toString());
    }
    return cut(text.toString());
  }

  private static @Nullable String messageOf(Throwable failure) {
    try {
      return failure.getMessage();
    } catch (Throwable ofTheMessage) { // the failure itself is what counts
      return null;
    }
  }

  /**
   * Cut to 4,000 characters, never through a pair, and without what databases refuse or garble: NUL
   * is left out, half a surrogate pair replaced.
   */
  public static String cut(String error) {
    String clean = error.replace("\0", "");
    if (clean.length() <= MAX_CHARACTERS) {
      return whole(clean);
    }
    boolean splitsPair =
        Character.isSurrogatePair(clean.charAt(MAX_CHARACTERS - 1), clean.charAt(MAX_CHARACTERS));
    return whole(clean.substring(0, splitsPair ? MAX_CHARACTERS - 1 : MAX_CHARACTERS));
  }

  /** The same for a text that may be missing. */
  public static @Nullable String cutOrNull(@Nullable String error) {
    return error == null ? null : cut(error);
  }

  private static String whole(String text) {
    StringBuilder whole = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> c >= MIN_SURROGATE && c <= MAX_SURROGATE ? REPLACEMENT : c)
        .forEach(whole::appendCodePoint);
    return whole.toString();
  }
}
