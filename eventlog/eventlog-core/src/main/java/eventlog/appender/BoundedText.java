package eventlog.appender;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Texts of the application, no longer than allowed, whatever making them throws. Stateless. */
final class BoundedText {
  private BoundedText() {}

  /** The text, or why there is none: a line must not fail because of what it shows. */
  static @Nullable String of(Supplier<@Nullable String> source, int maxLength) {
    try {
      String text = source.get();
      return text == null ? null : cut(text, maxLength);
    } catch (RuntimeException e) {
      return "(no text: " + e.getClass().getName() + " while it was made)";
    }
  }

  /** The text, or its beginning and how much is missing. */
  static String cut(String text, int maxLength) {
    if (text.length() <= maxLength) {
      return text;
    }
    boolean halves = maxLength > 0 && Character.isHighSurrogate(text.charAt(maxLength - 1));
    int end = halves ? maxLength - 1 : maxLength;
    return text.substring(0, end) + "… (" + (text.length() - end) + " characters more)";
  }
}
