package holdfast.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A schema file: plain SQL with the tables under their usual names. Immutable. */
record SchemaFile(String path, String text) {

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
}
