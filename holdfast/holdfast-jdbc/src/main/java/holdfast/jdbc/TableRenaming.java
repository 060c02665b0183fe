package holdfast.jdbc;

import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Gives the tables of a schema file other names. Immutable.
 *
 * <p>Three things change: the name of a table where SQL has one, so that a column of the same name
 * stays as it is; the name of an index that begins with the table's, so that two tables of one
 * schema never share it; and a literal that is the table's name and nothing else. Comments stay.
 *
 * @param lexis how the database writes literals and comments
 * @param names the new name of each table, by the name it has in the file
 */
record TableRenaming(Lexis lexis, Map<String, TableName> names) {

  private static final Set<String> BEFORE_A_TABLE =
      Set.of("TABLE", "EXISTS", "INTO", "FROM", "JOIN", "ON", "UPDATE", "REFERENCES");
  private static final Set<String> BEFORE_AN_INDEX = Set.of("INDEX", "EXISTS");

  String rename(String sql) {
    StringBuilder renamed = new StringBuilder(sql.length());
    String before = "";
    int at = 0;
    while (at < sql.length()) {
      int end = lexis.endOfNonCode(sql, at);
      if (end > at) {
        renamed.append(nonCode(sql.substring(at, end)));
      } else if (Identifier.isPart(sql.charAt(at))) {
        end = endOfWord(sql, at);
        String word = sql.substring(at, end);
        renamed.append(word(word, before));
        before = word.toUpperCase(Locale.ROOT);
      } else {
        end = at + 1;
        renamed.append(sql.charAt(at));
        before = Character.isWhitespace(sql.charAt(at)) ? before : "";
      }
      at = end;
    }
    return renamed.toString();
  }

  private static int endOfWord(String sql, int start) {
    int end = start;
    while (end < sql.length() && Identifier.isPart(sql.charAt(end))) {
      end++;
    }
    return end;
  }

  private String word(String word, String before) {
    TableName table = names.get(word);
    if (table != null && BEFORE_A_TABLE.contains(before)) {
      return table.toString();
    }
    return table == null && BEFORE_AN_INDEX.contains(before) ? index(word) : word;
  }

  /** An index belongs to the table with the longest name that its own begins with. */
  private String index(String word) {
    return names.keySet().stream()
        .filter(name -> word.startsWith(name + "_"))
        .max(Comparator.comparingInt(String::length))
        .map(name -> nameOnly(name) + word.substring(name.length()))
        .orElse(word);
  }

  private String nameOnly(String name) {
    TableName table = names.get(name);
    return table == null ? name : table.name();
  }

  /** A literal, a quoted name or a comment; a dollar-quoted literal holds statements. */
  private String nonCode(String text) {
    if (text.charAt(0) == '$') {
      int body = text.indexOf('$', 1) + 1;
      int end = Math.max(body, text.length() - body);
      return text.substring(0, body) + rename(text.substring(body, end)) + text.substring(end);
    }
    TableName table =
        text.charAt(0) == '\'' && text.length() > 1
            ? names.get(text.substring(1, text.length() - 1))
            : null;
    return table == null ? text : "'" + table + "'";
  }
}
