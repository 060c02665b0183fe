package failover.proxy.annotations;

import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Fills in {@code ${name}} and {@code ${name:otherwise}}. Immutable. */
public final class Placeholders {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^:}]*)(?::([^}]*))?}");

  private final Function<String, @Nullable String> values;

  /** Placeholders of these values; null for a name without one. */
  public Placeholders(Function<String, @Nullable String> values) {
    this.values = values;
  }

  /**
   * Returns the text with its placeholders filled in.
   *
   * @throws IllegalArgumentException if one has no value
   */
  public String fillIn(String text) {
    return PLACEHOLDER
        .matcher(text)
        .replaceAll(found -> Matcher.quoteReplacement(value(found.group(1), found.group(2))));
  }

  private String value(String name, @Nullable String otherwise) {
    String value = name.isEmpty() ? null : values.apply(name);
    if (value != null) {
      return value;
    }
    if (otherwise == null) {
      throw new IllegalArgumentException(
          "'%s' must have a value but has none; set it or write ${%s:otherwise}"
              .formatted(name, name));
    }
    return otherwise;
  }
}
