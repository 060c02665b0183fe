package holdfast.jdbc;

import java.util.Arrays;

/**
 * How a database writes what is not code: literals, quoted names and comments. Immutable.
 *
 * @param backslash where a backslash in a literal takes the next character's meaning away
 * @param hashComments whether # begins a comment, and -- only before a blank
 * @param slashComments whether // begins a comment
 * @param executableComments whether a comment that begins with an exclamation mark is code
 * @param dollarQuotes whether $tag$ begins a literal
 * @param nestedComments whether comments can hold comments
 */
record Lexis(
    Backslash backslash,
    boolean hashComments,
    boolean slashComments,
    boolean executableComments,
    boolean dollarQuotes,
    boolean nestedComments) {

  /** Where a backslash escapes; MySQL's mode NO_BACKSLASH_ESCAPES is not known here. */
  enum Backslash {
    NOWHERE,
    EVERYWHERE,
    AFTER_E
  }

  static final Lexis H2 = new Lexis(Backslash.NOWHERE, false, true, false, true, true);
  static final Lexis MYSQL = new Lexis(Backslash.EVERYWHERE, true, false, true, false, false);
  static final Lexis POSTGRESQL = new Lexis(Backslash.AFTER_E, false, false, false, true, true);

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
  int endOfNonCode(String sql, int at) {
    return switch (sql.charAt(at)) {
      case '\'', '"', '`' -> endOfQuoted(sql, at);
      case '-' -> beginsDashComment(sql, at) ? endOfLine(sql, at) : at;
      case '#' -> hashComments ? endOfLine(sql, at) : at;
      case '/' -> endAfterSlash(sql, at);
      case '$' -> dollarQuotes ? endOfDollarQuoted(sql, at) : at;
      default -> at;
    };
  }

  private int endAfterSlash(String sql, int at) {
    if (slashComments && sql.startsWith("//", at)) {
      return endOfLine(sql, at);
    }
    boolean code = executableComments && (sql.startsWith("/*!", at) || sql.startsWith("/*M!", at));
    return sql.startsWith("/*", at) && !code ? endOfComment(sql, at) : at;
  }

  /** A doubled quote inside ends one literal and begins the next, which comes to the same. */
  private int endOfQuoted(String sql, int start) {
    char quote = sql.charAt(start);
    boolean escapes = quote != '`' && backslashEscapes(sql, start);
    for (int at = start + 1; at < sql.length(); at++) {
      char c = sql.charAt(at);
      if (c == quote) {
        return at + 1;
      }
      if (c == '\\' && escapes) {
        at++;
      }
    }
    return sql.length();
  }

  private boolean backslashEscapes(String sql, int quoteAt) {
    return switch (backslash) {
      case NOWHERE -> false;
      case EVERYWHERE -> true;
      case AFTER_E -> isEscapeString(sql, quoteAt);
    };
  }

  /** PostgreSQL's E'…', unless the E is the last letter of a name. */
  private static boolean isEscapeString(String sql, int quoteAt) {
    return quoteAt > 0
        && (sql.charAt(quoteAt - 1) == 'E' || sql.charAt(quoteAt - 1) == 'e')
        && sql.charAt(quoteAt) == '\''
        && (quoteAt == 1 || !Character.isJavaIdentifierPart(sql.charAt(quoteAt - 2)));
  }

  private boolean beginsDashComment(String sql, int at) {
    return sql.startsWith("--", at)
        && (!hashComments || at + 2 == sql.length() || sql.charAt(at + 2) <= ' ');
  }

  private int endOfLine(String sql, int start) {
    int end = start;
    while (end < sql.length() && sql.charAt(end) != '\n' && !endsLine(sql.charAt(end))) {
      end++;
    }
    return end;
  }

  /** MySQL reads on after a carriage return; the others do not. */
  private boolean endsLine(char c) {
    return c == '\r' && !hashComments;
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
