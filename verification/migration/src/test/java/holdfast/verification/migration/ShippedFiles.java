package holdfast.verification.migration;

import holdfast.jdbc.Dialect;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** The schema files in the jars, found as a migration tool finds them. Stateless. */
final class ShippedFiles {
  static final List<String> DATABASES = List.of("h2", "postgresql", "mariadb", "mysql");

  static final String UPGRADE = "outbox/jdbc/schema/upgrade";

  static final String ANSWERS_UPGRADE = "failover/jdbc/schema/upgrade";

  /** The folders whose files create tables. */
  static final List<String> TABLES =
      List.of(
          "outbox/jdbc/schema",
          "outbox/jdbc/schema/inbox",
          "eventbus/schema",
          "failover/jdbc/schema");

  private ShippedFiles() {}

  /** The paths of all files, those of the upgrades too. */
  static List<String> all() {
    return Stream.concat(TABLES.stream(), Stream.of(UPGRADE, ANSWERS_UPGRADE))
        .flatMap(folder -> DATABASES.stream().map(database -> folder + "/" + database + ".sql"))
        .toList();
  }

  /** The paths of the files that create tables on a database. */
  static List<String> forTablesOn(Dialect dialect) {
    return TABLES.stream().map(folder -> folder + "/" + dialect.name() + ".sql").toList();
  }

  static String text(String path) {
    try (InputStream file = ShippedFiles.class.getResourceAsStream("/" + path)) {
      if (file == null) {
        throw new IllegalStateException(path + " must be on the class path but was not found");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(path, e);
    }
  }
}
