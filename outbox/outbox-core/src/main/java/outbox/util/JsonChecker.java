package outbox.util;

import java.util.Optional;

/**
 * Reads one JSON text from left to right and says where it stops being JSON. Keeps the open
 * brackets in a string of bits instead of recursing, so no nesting is too deep for it. Confined to
 * one call.
 */
final class JsonChecker {
  private final String json;
  private int at;
  private final StringBuilder open = new StringBuilder();

  JsonChecker(String json) {
    this.json = json;
  }

  Optional<String> findMistake() {
    try {
      checkValue();
      skipSpace();
      while (!open.isEmpty()) {
        checkAfterValue();
        skipSpace();
      }
      require(at == json.length(), "the end");
      return Optional.empty();
    } catch (Mistake mistake) {
      return Optional.of(mistake.getMessage());
    }
  }

  /** One value; of an array or object only what leads to its first value. */
  private void checkValue() throws Mistake {
    while (true) {
      skipSpace();
      char c = peek();
      if (c == '[') {
        if (openedEmpty(']')) {
          return;
        }
      } else if (c == '{') {
        if (openedEmpty('}')) {
          return;
        }
        checkName();
      } else {
        checkScalar(c);
        return;
      }
    }
  }

  private boolean openedEmpty(char closing) {
    at++;
    skipSpace();
    if (peek() == closing) {
      at++;
      return true;
    }
    open.append(closing);
    return false;
  }

  private void checkAfterValue() throws Mistake {
    char closing = open.charAt(open.length() - 1);
    if (peek() == closing) {
      at++;
      open.setLength(open.length() - 1);
      return;
    }
    require(peek() == ',', "',' or '" + closing + "'");
    at++;
    if (closing == '}') {
      skipSpace();
      checkName();
    }
    checkValue();
  }

  private void checkName() throws Mistake {
    checkText();
    skipSpace();
    require(peek() == ':', "':'");
    at++;
  }

  private void checkScalar(char c) throws Mistake {
    switch (c) {
      case '"' -> checkText();
      case 't' -> checkWord("true");
      case 'f' -> checkWord("false");
      case 'n' -> checkWord("null");
      default -> checkNumber();
    }
  }

  private void checkWord(String word) throws Mistake {
    require(json.startsWith(word, at), word);
    at += word.length();
  }

  private void checkNumber() throws Mistake {
    if (peek() == '-') {
      at++;
    }
    require(isDigit(peek()), "a value");
    if (peek() == '0') {
      at++;
    } else {
      skipDigits();
    }
    if (peek() == '.') {
      at++;
      require(isDigit(peek()), "a digit");
      skipDigits();
    }
    if (peek() == 'e' || peek() == 'E') {
      at++;
      if (peek() == '+' || peek() == '-') {
        at++;
      }
      require(isDigit(peek()), "a digit");
      skipDigits();
    }
  }

  private void checkText() throws Mistake {
    require(peek() == '"', "'\"'");
    at++;
    while (true) {
      require(at < json.length() && json.charAt(at) >= ' ', "a text to go on or its closing quote");
      char c = json.charAt(at++);
      if (c == '"') {
        return;
      }
      if (c == '\\') {
        checkEscape();
      }
    }
  }

  private void checkEscape() throws Mistake {
    char c = peek();
    require(c != 0 && "\"\\/bfnrtu".indexOf(c) >= 0, "one of \" \\ / b f n r t u");
    at++;
    for (int i = 0; c == 'u' && i < 4; i++) {
      require(peek() < 128 && Character.digit(peek(), 16) >= 0, "a hexadecimal digit");
      at++;
    }
  }

  private void skipDigits() {
    while (isDigit(peek())) {
      at++;
    }
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private void skipSpace() {
    while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t') {
      at++;
    }
  }

  private char peek() {
    return at < json.length() ? json.charAt(at) : 0;
  }

  private void require(boolean holds, String wanted) throws Mistake {
    if (!holds) {
      String found = at < json.length() ? "'" + json.charAt(at) + "'" : "the end";
      throw new Mistake(
          "must be JSON: " + wanted + " expected at position " + at + " but found " + found);
    }
  }

  /** Carries the message up; without a stack trace, since nobody looks at it. */
  private static final class Mistake extends Exception {
    private static final long serialVersionUID = 1L;

    Mistake(String message) {
      super(message, null, false, false);
    }

    @Override
    public String getMessage() {
      return String.valueOf(super.getMessage());
    }
  }
}
