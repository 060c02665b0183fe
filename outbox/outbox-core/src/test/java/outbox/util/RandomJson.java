package outbox.util;

import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Random JSON, and a second opinion on what is JSON: recursive, with the tokens as patterns. */
final class RandomJson {
  private static final Pattern SPACE = Pattern.compile("[ \\t\\r\\n]*");
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
  private static final Pattern TEXT =
      Pattern.compile("\"([^\"\\\\\\x00-\\x1f]|\\\\[\"\\\\/bfnrt]|\\\\u[0-9a-fA-F]{4})*\"");
  private static final Pattern WORD = Pattern.compile("true|false|null");
  private static final String[] SCALARS = {
    "true",
    "false",
    "null",
    "0",
    "-1",
    "2.50",
    "3e8",
    "-0.1E-2",
    "\"\"",
    "\"a\\n\\u00e9\"",
    "\"\u20ac\""
  };

  private final String text;
  private int at;

  private RandomJson(String text) {
    this.text = text;
  }

  static boolean isJson(String text) {
    RandomJson reader = new RandomJson(text);
    return reader.value() && reader.at == text.length();
  }

  private boolean value() {
    skip(SPACE);
    boolean found =
        switch (at < text.length() ? text.charAt(at) : ' ') {
          case '[' -> array();
          case '{' -> object();
          default -> skip(WORD) || skip(NUMBER) || skip(TEXT);
        };
    skip(SPACE);
    return found;
  }

  private boolean array() {
    if (!skip('[')) {
      return false;
    }
    skip(SPACE);
    if (skip(']')) {
      return true;
    }
    do {
      if (!value()) {
        return false;
      }
    } while (skip(','));
    return skip(']');
  }

  private boolean object() {
    if (!skip('{')) {
      return false;
    }
    skip(SPACE);
    if (skip('}')) {
      return true;
    }
    do {
      skip(SPACE);
      if (!skip(TEXT)) {
        return false;
      }
      skip(SPACE);
      if (!skip(':') || !value()) {
        return false;
      }
    } while (skip(','));
    return skip('}');
  }

  private boolean skip(char c) {
    boolean found = at < text.length() && text.charAt(at) == c;
    at += found ? 1 : 0;
    return found;
  }

  private boolean skip(Pattern pattern) {
    Matcher matcher = pattern.matcher(text).region(at, text.length());
    boolean found = matcher.lookingAt();
    at = found ? matcher.end() : at;
    return found;
  }

  static void append(StringBuilder json, Random random, int depth) {
    int kind = depth == 0 ? 0 : random.nextInt(3);
    if (kind == 0) {
      json.append(SCALARS[random.nextInt(SCALARS.length)]);
      return;
    }
    json.append(kind == 1 ? '[' : '{');
    String separator = "";
    for (int i = random.nextInt(4); i > 0; i--) {
      json.append(separator).append(kind == 1 ? "" : "\"k" + i + "\" :");
      append(json, random, depth - 1);
      separator = random.nextBoolean() ? "," : " ,\n";
    }
    json.append(kind == 1 ? ']' : '}');
  }
}
