package holdfast.log;

import org.jspecify.annotations.Nullable;

/**
 * Texts as they may stand in a log line. Ids, types, names, keys and messages come from users: a
 * line break in one of them would forge a line of the log. Stateless.
 */
public final class LogText {
  private static final int MAX_CAUSE = 2_000;
  private static final int MOST_CAUSES = 100;

  private LogText() {}

  /**
   * Returns the text on one line: a line feed as {@code \n}; other control characters, the line and
   * paragraph separators and the characters that change the direction of text as {@code \}{@code u}
   * and four hexadecimal digits. A text without them is returned as it is.
   *
   * @param text the text, or an object that is printed as one
   */
  public static String escape(@Nullable Object text) {
    String raw = String.valueOf(text);
    int first = firstUnsafe(raw);
    if (first == raw.length()) {
      return raw;
    }
    StringBuilder safe = new StringBuilder(raw.length() + 16).append(raw, 0, first);
    for (int i = first; i < raw.length(); i++) {
      append(safe, raw.charAt(i));
    }
    return safe.toString();
  }

  /** Returns whether a log line must not have the text as it is. */
  static boolean isUnsafe(String text) {
    return firstUnsafe(text) < text.length();
  }

  private static int firstUnsafe(String text) {
    int first = 0;
    while (first < text.length() && !isUnsafe(text.charAt(first))) {
      first++;
    }
    return first;
  }

  private static void append(StringBuilder safe, char c) {
    if (c == '\n') {
      safe.append("\\n");
    } else if (isUnsafe(c)) {
      safe.append("\\u%04X".formatted((int) c));
    } else {
      safe.append(c);
    }
  }

  private static boolean isUnsafe(char c) {
    return Character.isISOControl(c) || isSeparator(c) || isBidirectionalControl(c);
  }

  private static boolean isSeparator(char c) {
    return c == '\u2028' || c == '\u2029';
  }

  private static boolean isBidirectionalControl(char c) {
    return c == '\u061C'
        || c == '\u200E'
        || c == '\u200F'
        || (c >= '\u202A' && c <= '\u202E')
        || (c >= '\u2066' && c <= '\u2069');
  }

  /**
   * Returns a failure and what caused it first, each as its class and message, on one line of 2,000
   * characters at most.
   */
  public static String line(Throwable failure) {
    Throwable root = rootOf(failure);
    String own = of(failure);
    String line = escape(root.equals(failure) ? own : own + ", caused by " + of(root));
    return line.length() <= MAX_CAUSE ? line : line.substring(0, MAX_CAUSE) + "...";
  }

  private static Throwable rootOf(Throwable failure) {
    Throwable root = failure;
    for (int i = 0; i < MOST_CAUSES; i++) { // causes may go round in a circle
      Throwable cause = causeOf(root);
      if (cause == null) {
        return root;
      }
      root = cause;
    }
    return root;
  }

  static @Nullable Throwable causeOf(Throwable failure) {
    try {
      return failure.getCause();
    } catch (Throwable ofTheCause) { // exceptions are the application's code
      return null;
    }
  }

  /** Class and message; the class alone if asking for the message fails. */
  private static String of(Throwable failure) {
    String name = failure.getClass().getName();
    try {
      String message = failure.getMessage();
      return message == null ? name : name + ": " + message;
    } catch (Throwable ofTheMessage) { // the failure itself is what counts
      return name;
    }
  }
}
