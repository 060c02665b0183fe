package eventlog.spi;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Names of fields, upper and lower case being the same. Immutable. */
final class FieldNames {
  private final Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
  private final Pattern anywhere;
  private final Pattern beforeValue;

  FieldNames(Collection<String> names) {
    for (String name : names) {
      if (name == null || name.isBlank()) {
        throw new IllegalArgumentException(
            "the names of fields to redact must not be blank but are " + names);
      }
      this.names.add(name);
    }
    String either = this.names.stream().map(Pattern::quote).collect(Collectors.joining("|"));
    this.anywhere =
        Pattern.compile(
            "(?<![\\p{L}\\p{N}])(?:" + either + ")(?![\\p{L}\\p{N}])",
            Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    this.beforeValue =
        Pattern.compile(
            "(?<![\\p{L}\\p{N}])(?:" + either + ")(?:[\"']?\\s*[=:]\\s*|\\s*>)",
            Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
  }

  boolean isEmpty() {
    return names.isEmpty();
  }

  boolean has(String name) {
    return names.contains(name);
  }

  /** Whether one of the names is a word of the text. */
  boolean occurIn(String text) {
    return anywhere.matcher(text).find();
  }

  /**
   * Finds names with what stands between them and their value: {@code =}, {@code :} or {@code >}.
   */
  Matcher beforeValues(String text) {
    return beforeValue.matcher(text);
  }

  /** Whether one of the names may be a field in JSON text, perhaps written with escapes. */
  boolean mayOccurIn(String json) {
    return json.indexOf('\\') >= 0 || occurIn(json);
  }
}
