package holdfast.jdbc;

import java.util.regex.Pattern;

/** A name that can stand in SQL as it is. Stateless. */
final class Identifier {

  private static final Pattern VALID = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

  private Identifier() {}

  static boolean isValid(String name) {
    return VALID.matcher(name).matches();
  }

  /** Whether a character can stand in such a name, after the first. */
  static boolean isPart(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  }

  /** Refuses a name that is not valid; {@code what} says in the error which name it is. */
  static void require(String what, String name) {
    if (!isValid(name)) {
      throw new IllegalArgumentException(
          "%s must be 1 to 63 of A-Z, a-z, 0-9 and _, not starting with a digit, but was '%s'"
              .formatted(what, name));
    }
  }
}
