package eventlog.testkit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes JSON text apart, one level at a time: values stay the text they are. Confined to one call.
 */
final class JsonText {
  private static final int MOST_LEVELS = 500;

  private final String json;
  private int at;

  private JsonText(String json) {
    this.json = json;
  }

  /**
   * The fields of an object: their names, and their values as JSON text.
   *
   * @throws IllegalArgumentException if the text is no JSON object
   */
  static Map<String, String> fields(String json) {
    JsonText text = new JsonText(json);
    Map<String, String> fields = text.object();
    text.end();
    return fields;
  }

  /**
   * The elements of an array, as JSON text.
   *
   * @throws IllegalArgumentException if the text is no JSON array
   */
  static List<String> elements(String json) {
    JsonText text = new JsonText(json);
    List<String> elements = text.array();
    text.end();
    return elements;
  }

  /** What a value says: a text without its quotes and escapes, anything else as it is. */
  static String text(String json) {
    String value = json.strip();
    return value.startsWith("\"") ? new JsonText(value).string() : value;
  }

  /** A text as JSON. */
  static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  private Map<String, String> object() {
    Map<String, String> fields = new LinkedHashMap<>();
    expect('{');
    if (isNext('}')) {
      return fields;
    }
    do {
      skipSpace();
      String name = string();
      expect(':');
      fields.put(name, value());
    } while (isNext(','));
    expect('}');
    return fields;
  }

  private List<String> array() {
    List<String> elements = new ArrayList<>();
    expect('[');
    if (isNext(']')) {
      return elements;
    }
    do {
      elements.add(value());
    } while (isNext(','));
    expect(']');
    return elements;
  }

  private String value() {
    skipSpace();
    int from = at;
    skipValue(0);
    return json.substring(from, at);
  }

  private void skipValue(int level) {
    skipSpace();
    if (level > MOST_LEVELS || at == json.length()) {
      throw malformed();
    }
    switch (json.charAt(at)) {
      case '"' -> string();
      case '{' -> skipElements('}', true, level);
      case '[' -> skipElements(']', false, level);
      default -> skipLiteral();
    }
  }

  private void skipElements(char end, boolean named, int level) {
    at++;
    if (isNext(end)) {
      return;
    }
    do {
      if (named) {
        skipSpace();
        string();
        expect(':');
      }
      skipValue(level + 1);
    } while (isNext(','));
    expect(end);
  }

  /** A number, true, false or null. */
  private void skipLiteral() {
    int from = at;
    while (at < json.length() && ",]} \t\r\n".indexOf(json.charAt(at)) < 0) {
      at++;
    }
    String literal = json.substring(from, at);
    if (!literal.matches("true|false|null|-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?")) {
      throw malformed();
    }
  }

  private String string() {
    expect('"');
    StringBuilder text = new StringBuilder();
    while (at < json.length() && json.charAt(at) != '"') {
      char c = json.charAt(at++);
      text.append(c == '\\' ? escaped() : c);
    }
    if (at++ >= json.length()) {
      throw malformed();
    }
    return text.toString();
  }

  private char escaped() {
    if (at == json.length()) {
      throw malformed();
    }
    char c = json.charAt(at++);
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unicode();
      default -> throw malformed();
    };
  }

  private char unicode() {
    if (at + 4 > json.length()) {
      throw malformed();
    }
    at += 4;
    return (char) Integer.parseInt(json.substring(at - 4, at), 16);
  }

  private void expect(char c) {
    if (!isNext(c)) {
      throw malformed();
    }
  }

  private boolean isNext(char c) {
    skipSpace();
    boolean is = at < json.length() && json.charAt(at) == c;
    at += is ? 1 : 0;
    return is;
  }

  private void skipSpace() {
    while (at < json.length() && " \t\r\n".indexOf(json.charAt(at)) >= 0) {
      at++;
    }
  }

  private void end() {
    skipSpace();
    if (at < json.length()) {
      throw malformed();
    }
  }

  private IllegalArgumentException malformed() {
    return new IllegalArgumentException("malformed JSON at character " + at);
  }
}
