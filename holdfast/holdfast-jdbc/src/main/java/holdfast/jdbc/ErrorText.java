package holdfast.jdbc;

import org.jspecify.annotations.Nullable;

/** Error texts as tables take them. Stateless. */
public final class ErrorText {
  private static final int MAX_CHARACTERS = 4_000;

  private ErrorText() {}

  /** A failure as its class and message, cut as {@link #cut} does. */
  public static String of(Throwable failure) {
    String message = failure.getMessage();
    String name = failure.getClass().getName();
    return cut(message == null ? name : name + ": " + message);
  }

  /** Cut to 4,000 characters, never through a pair, and without NUL, which PostgreSQL refuses. */
  public static String cut(String error) {
    String clean = error.replace("\0", "");
    if (clean.length() <= MAX_CHARACTERS) {
      return clean;
    }
    boolean splitsPair = Character.isHighSurrogate(clean.charAt(MAX_CHARACTERS - 1));
    return clean.substring(0, splitsPair ? MAX_CHARACTERS - 1 : MAX_CHARACTERS);
  }

  /** The same for a text that may be missing. */
  public static @Nullable String cutOrNull(@Nullable String error) {
    return error == null ? null : cut(error);
  }
}
