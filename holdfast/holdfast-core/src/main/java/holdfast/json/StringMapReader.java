package holdfast.json;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads one JSON object of texts, from left to right. Confined to one call. */
final class StringMapReader {
  private static final char END = '\uFFFF';

  private final String json;
  private int at;

  StringMapReader(String json) {
    this.json = json;
  }

  Map<String, String> read() {
    Map<String, String> map = new LinkedHashMap<>();
    skipSpace();
    expect('{');
    skipSpace();
    if (peek() != '}') {
      readEntry(map);
      while (peek() == ',') {
        at++;
        skipSpace();
        readEntry(map);
      }
    }
    expect('}');
    skipSpace();
    if (at < json.length()) {
      throw unexpected("the end");
    }
    return Collections.unmodifiableMap(map);
  }

  private void readEntry(Map<String, String> map) {
    String name = readText();
    skipSpace();
    expect(':');
    skipSpace();
    map.put(name, readText());
    skipSpace();
  }

  private String readText() {
    expect('"');
    StringBuilder text = new StringBuilder();
    while (peek() != '"') {
      char c = peek();
      if (at >= json.length() || c < ' ') {
        throw unexpected("a text to go on or its closing quote");
      }
      at++;
      text.append(c == '\\' ? readEscape() : c);
    }
    at++;
    return text.toString();
  }

  private char readEscape() {
    char c = peek();
    char meant =
        switch (c) {
          case '"', '\\', '/' -> c;
          case 'b' -> '\b';
          case 'f' -> '\f';
          case 'n' -> '\n';
          case 'r' -> '\r';
          case 't' -> '\t';
          case 'u' -> readHex();
          default -> throw unexpected("one of \" \\ / b f n r t u after a backslash");
        };
    at++;
    return meant;
  }

  /** Reads the four digits after the u; stays on the last of them. */
  private char readHex() {
    int code = 0;
    for (int i = 0; i < 4; i++) {
      at++;
      int digit = Character.digit(peek(), 16);
      if (digit < 0 || peek() > 'f') {
        throw unexpected("a hexadecimal digit");
      }
      code = (code << 4) | digit;
    }
    return (char) code;
  }

  private void skipSpace() {
    while (" \t\r\n".indexOf(peek()) >= 0) {
      at++;
    }
  }

  private void expect(char wanted) {
    if (peek() != wanted || at >= json.length()) {
      throw unexpected("'" + wanted + "'");
    }
    at++;
  }

  private char peek() {
    return at < json.length() ? json.charAt(at) : END;
  }

  private IllegalArgumentException unexpected(String wanted) {
    String found = at < json.length() ? "'" + json.charAt(at) + "'" : "the end";
    return new IllegalArgumentException(
        "a JSON object of texts must have "
            + wanted
            + " at position "
            + at
            + " but has "
            + found
            + " there");
  }
}
