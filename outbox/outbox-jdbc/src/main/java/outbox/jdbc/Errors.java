package outbox.jdbc;

import static java.lang.Character.MAX_SURROGATE;
import static java.lang.Character.MIN_SURROGATE;

import org.jspecify.annotations.Nullable;

/** Error texts as the table takes them. Stateless. */
final class Errors {
  private static final int MAX_CHARACTERS = 4_000;
  private static final int REPLACEMENT = 0xFFFD;

  private Errors() {}

  /**
   * Cut to 4,000 characters, never through a pair, and without what databases refuse or garble: NUL
   * is left out, half a surrogate pair replaced.
   */
  static @Nullable String cut(@Nullable String error) {
    if (error == null) {
      return null;
    }
    String clean = error.replace("\0", "");
    if (clean.length() <= MAX_CHARACTERS) {
      return whole(clean);
    }
    boolean splitsPair =
        Character.isSurrogatePair(clean.charAt(MAX_CHARACTERS - 1), clean.charAt(MAX_CHARACTERS));
    return whole(clean.substring(0, splitsPair ? MAX_CHARACTERS - 1 : MAX_CHARACTERS));
  }

  private static String whole(String text) {
    StringBuilder whole = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> c >= MIN_SURROGATE && c <= MAX_SURROGATE ? REPLACEMENT : c)
        .forEach(whole::appendCodePoint);
    return whole.toString();
  }
}
