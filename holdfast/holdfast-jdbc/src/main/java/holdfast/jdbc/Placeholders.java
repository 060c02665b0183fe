package holdfast.jdbc;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Counts how many values the statements of one dialect take, and remembers it: an application sends
 * the same few texts again and again. Safe for use by many threads.
 */
final class Placeholders {
  private static final int MOST_REMEMBERED = 1000;

  private final Lexis lexis;
  private final ConcurrentMap<String, Integer> counted = new ConcurrentHashMap<>();

  Placeholders(Lexis lexis) {
    this.lexis = lexis;
  }

  Lexis lexis() {
    return lexis;
  }

  /**
   * How many values the text takes. A doubled question mark is an operator of PostgreSQL, escaped;
   * one with a number, as H2 has them, may stand in several places and takes one value.
   */
  int in(String sql) {
    Integer known = counted.get(sql);
    if (known != null) {
      return known;
    }
    int count = count(sql);
    if (counted.size() < MOST_REMEMBERED) {
      counted.put(sql, count);
    }
    return count;
  }

  private int count(String sql) {
    if (sql.indexOf('?') < 0) {
      return 0;
    }
    char[] code = lexis.codeOf(sql);
    int count = 0;
    int highest = 0;
    for (int at = 0; at < code.length; at++) {
      if (code[at] != '?') {
        continue;
      }
      if (charAt(code, at + 1) == '?') {
        at++;
      } else if (isDigit(charAt(code, at + 1))) {
        highest = Math.max(highest, numberAt(code, at + 1));
      } else {
        count++;
      }
    }
    return Math.max(count, highest);
  }

  private static char charAt(char[] code, int at) {
    return at < code.length ? code[at] : ' ';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static int numberAt(char[] code, int start) {
    int number = 0;
    for (int at = start; isDigit(charAt(code, at)); at++) {
      number = number * 10 + (code[at] - '0');
    }
    return number;
  }
}
