package outbox.util;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a JSON text once more, for what is JSON and yet cannot be kept: half a surrogate pair,
 * which has no UTF-8 form and is refused or replaced by databases even as an escape, and exponents
 * that run over the number type of H2. Also tells how deep it is nested. Confined to one call.
 */
final class JsonLimits {
  private static final int MAX_EXPONENT_DIGITS = 9;
  private static final int ESCAPE = 6; // a backslash, u and four digits

  private final String json;
  private int at;
  private int depth;
  private int deepest;
  private @Nullable String mistake;

  JsonLimits(String json) {
    this.json = json;
    while (at < json.length() && mistake == null) {
      look(json.charAt(at));
    }
  }

  int deepest() {
    return deepest;
  }

  Optional<String> mistake() {
    return Optional.ofNullable(mistake);
  }

  private void look(char c) {
    at++;
    switch (c) {
      case '"' -> readText();
      case '[', '{' -> deepest = Math.max(deepest, ++depth);
      case ']', '}' -> depth--;
      case 'e', 'E' -> readExponent();
      default -> {}
    }
  }

  private void readText() {
    while (at < json.length() && mistake == null && json.charAt(at) != '"') {
      if (json.charAt(at) != '\\') {
        readPlain();
      } else if (codeAt(at) < 0) {
        at += 2;
      } else {
        readCode();
      }
    }
    at++;
  }

  private void readPlain() {
    char c = json.charAt(at);
    boolean pair = at + 1 < json.length() && Character.isSurrogatePair(c, json.charAt(at + 1));
    if (Character.isSurrogate(c) && !pair) {
      refuseHalf();
    }
    at += pair ? 2 : 1;
  }

  private void readCode() {
    char first = (char) codeAt(at);
    int second = codeAt(at + ESCAPE);
    boolean pair = second >= 0 && Character.isSurrogatePair(first, (char) second);
    if (Character.isSurrogate(first) && !pair) {
      refuseHalf();
    }
    at += pair ? 2 * ESCAPE : ESCAPE;
  }

  /** The character an escape in hexadecimal digits stands for; -1 if none begins there. */
  private int codeAt(int start) {
    return json.startsWith("\\u", start) && start + ESCAPE <= json.length()
        ? Integer.parseInt(json.substring(start + 2, start + ESCAPE), 16)
        : -1;
  }

  /** Also called for the letter in {@code true} and {@code false}, which no digit follows. */
  private void readExponent() {
    int start = at;
    while (at < json.length() && "+-0".indexOf(json.charAt(at)) >= 0) {
      at++;
    }
    int digits = 0;
    while (at < json.length() && Character.isDigit(json.charAt(at))) {
      at++;
      digits++;
    }
    if (digits > MAX_EXPONENT_DIGITS) {
      mistake =
          "must have exponents of %d digits or fewer but the one at position %d has %d"
              .formatted(MAX_EXPONENT_DIGITS, start, digits);
    }
  }

  private void refuseHalf() {
    mistake = "must have whole characters but half a surrogate pair is at position " + at;
  }
}
