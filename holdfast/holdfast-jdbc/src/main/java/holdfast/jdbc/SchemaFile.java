package holdfast.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A schema file with its placeholders still in place. Immutable. */
record SchemaFile(String path, String text) {

  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]*)}");

  /** What a placeholder ends with that stands for the name without its schema. */
  static final String NAME_ONLY = ".name";

  static SchemaFile load(Class<?> anchor, String folder, String database) {
    if (folder.startsWith("/") || folder.endsWith("/")) {
      throw new IllegalArgumentException(
          "folder must be given from the root of the class path, without a slash before or after it,"
              + " but was '%s'".formatted(folder));
    }
    String path = pathOf(folder, database);
    try (InputStream file = open(anchor, path)) {
      if (file == null) {
        throw new IllegalArgumentException(missing(anchor, folder, path));
      }
      return new SchemaFile(path, new String(file.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("schema file %s cannot be read".formatted(path), e);
    }
  }

  private static String pathOf(String folder, String database) {
    return folder + "/" + database + ".sql";
  }

  private static @Nullable InputStream open(Class<?> anchor, String path) {
    return anchor.getResourceAsStream("/" + path);
  }

  private static String missing(Class<?> anchor, String folder, String path) {
    String existing =
        KnownDialects.names().stream()
            .filter(database -> anchor.getResource("/" + pathOf(folder, database)) != null)
            .collect(Collectors.joining(", "));
    if (existing.isEmpty()) {
      existing = "no database" + wayOut(anchor.getModule());
    }
    return "schema file %s must be on the class path but was not found; there are files for: %s"
        .formatted(path, existing);
  }

  private static String wayOut(Module module) {
    return module.isNamed()
        ? "; module %s must open the folder to io.holdfast.jdbc".formatted(module.getName())
        : "";
  }

  void requirePlaceholder(String name) {
    if (name.endsWith(NAME_ONLY)) {
      throw new IllegalArgumentException(
          "placeholder must be given without '%s' but was '%s'".formatted(NAME_ONLY, name));
    }
    SortedSet<String> names = new TreeSet<>();
    for (Matcher found = PLACEHOLDER.matcher(text); found.find(); ) {
      names.add(found.group(1));
    }
    if (!names.contains(name) && !names.contains(name + NAME_ONLY)) {
      throw new IllegalArgumentException(
          "placeholder must be one that %s has, of %s, but was '%s'".formatted(path, names, name));
    }
  }

  String filledIn(Map<String, String> values) {
    return PLACEHOLDER
        .matcher(text)
        .replaceAll(found -> Matcher.quoteReplacement(value(values, found.group(1))));
  }

  private String value(Map<String, String> values, String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalStateException(
          "placeholder ${%s} in %s must have a value but has none; give it one by with(...)"
              .formatted(name, path));
    }
    return value;
  }
}
