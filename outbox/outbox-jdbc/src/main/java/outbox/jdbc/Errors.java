package outbox.jdbc;

import org.jspecify.annotations.Nullable;

/** Error texts as the table takes them. Stateless. */
final class Errors {
  private static final int MAX_CHARACTERS = 4_000;

  private Errors() {}

  /** Cut to 4,000 characters, never through a pair, and without NUL, which PostgreSQL refuses. */
  static @Nullable String cut(@Nullable String error) {
    if (error == null) {
      return null;
    }
    String clean = error.replace("\0", "");
    if (clean.length() <= MAX_CHARACTERS) {
      return clean;
    }
    boolean splitsPair = Character.isHighSurrogate(clean.charAt(MAX_CHARACTERS - 1));
    return clean.substring(0, splitsPair ? MAX_CHARACTERS - 1 : MAX_CHARACTERS);
  }
}
