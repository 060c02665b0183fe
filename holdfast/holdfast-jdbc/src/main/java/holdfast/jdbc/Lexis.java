package holdfast.jdbc;

import java.util.Arrays;

/**
 * How a database writes what is not code: literals, quoted names and comments. Immutable.
 *
 * @param backslashEscapes whether a backslash in a literal takes the next character's meaning away
 * @param hashComments whether # begins a comment, and -- only before a blank
 * @param dollarQuotes whether $tag$ begins a literal
 * @param nestedComments whether comments can hold comments
 */
record Lexis(
    boolean backslashEscapes, boolean hashComments, boolean dollarQuotes, boolean nestedComments) {

  static final Lexis H2 = new Lexis(false, false, true, true);
  static final Lexis MYSQL = new Lexis(true, true, false, false);
  static final Lexis POSTGRESQL = new Lexis(false, false, true, true);

  /** The text with blanks for all that is not code: the same length, every character in place. */
  char[] codeOf(String sql) {
    char[] code = sql.toCharArray();
    int at = 0;
    while (at < code.length) {
      int end = endOfNonCode(sql, at);
      Arrays.fill(code, at, end, ' ');
      at = Math.max(end, at + 1);
    }
    return code;
  }

  /** Where the literal, name or comment that begins here ends; here, if none does. */
  private int endOfNonCode(String sql, int at) {
    return switch (sql.charAt(at)) {
      case '\'', '"', '`' -> endOfQuoted(sql, at);
      case '-' -> beginsDashComment(sql, at) ? endOfLine(sql, at) : at;
      case '#' -> hashComments ? endOfLine(sql, at) : at;
      case '/' -> sql.startsWith("/*", at) ? endOfComment(sql, at) : at;
      case '$' -> dollarQuotes ? endOfDollarQuoted(sql, at) : at;
      default -> at;
    };
  }

  /** A doubled quote inside ends one literal and begins the next, which comes to the same. */
  private int endOfQuoted(String sql, int start) {
    char quote = sql.charAt(start);
    for (int at = start + 1; at < sql.length(); at++) {
      char c = sql.charAt(at);
      if (c == quote) {
        return at + 1;
      }
      if (c == '\\' && backslashEscapes && quote != '`') {
        at++;
      }
    }
    return sql.length();
  }

  private boolean beginsDashComment(String sql, int at) {
    return sql.startsWith("--", at)
        && (!hashComments || at + 2 == sql.length() || sql.charAt(at + 2) <= ' ');
  }

  private static int endOfLine(String sql, int start) {
    int end = sql.indexOf('\n', start);
    return end < 0 ? sql.length() : end;
  }

  private int endOfComment(String sql, int start) {
    int depth = 1;
    for (int at = start + 2; at < sql.length(); at++) {
      if (sql.startsWith("*/", at)) {
        depth--;
        at++;
        if (depth == 0) {
          return at + 1;
        }
      } else if (nestedComments && sql.startsWith("/*", at)) {
        depth++;
        at++;
      }
    }
    return sql.length();
  }

  private static int endOfDollarQuoted(String sql, int start) {
    if (start > 0 && Character.isJavaIdentifierPart(sql.charAt(start - 1))) {
      return start; // a dollar within a name
    }
    int tagEnd = start + 1;
    while (tagEnd < sql.length() && isTagPart(sql.charAt(tagEnd), tagEnd == start + 1)) {
      tagEnd++;
    }
    if (tagEnd == sql.length() || sql.charAt(tagEnd) != '$') {
      return start;
    }
    String tag = sql.substring(start, tagEnd + 1);
    int end = sql.indexOf(tag, tagEnd + 1);
    return end < 0 ? sql.length() : end + tag.length();
  }

  private static boolean isTagPart(char c, boolean first) {
    return c == '_' || (first ? Character.isLetter(c) : Character.isLetterOrDigit(c));
  }
}
