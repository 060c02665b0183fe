package holdfast.jdbc;

import java.util.ArrayList;
import java.util.List;

/** Splits a script into its statements. Stateless. */
final class Statements {

  private Statements() {}

  /** The statements, without their semicolons and without the comments before them. */
  static List<String> split(String script, Lexis lexis) {
    char[] code = lexis.codeOf(script);
    List<String> statements = new ArrayList<>();
    int start = firstCode(code, 0);
    for (int at = start; at < code.length; at++) {
      if (code[at] == ';') {
        addUnlessBlank(statements, script.substring(start, at));
        start = firstCode(code, at + 1);
        at = start - 1;
      }
    }
    addUnlessBlank(statements, script.substring(start));
    return statements;
  }

  private static int firstCode(char[] code, int from) {
    int at = from;
    while (at < code.length && Character.isWhitespace(code[at])) {
      at++;
    }
    return at;
  }

  private static void addUnlessBlank(List<String> statements, String text) {
    if (!text.isBlank()) {
      statements.add(text.strip());
    }
  }
}
