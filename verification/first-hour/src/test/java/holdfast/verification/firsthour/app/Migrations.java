package holdfast.verification.firsthour.app;

import holdfast.testkit.db.DatabaseKind;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The application's migrations: the shipped files as they are, then its own table. Stateless. */
final class Migrations {
  private static final List<String> SHIPPED =
      List.of(
          "outbox/jdbc/schema",
          "outbox/jdbc/schema/inbox",
          "eventbus/schema",
          "failover/jdbc/schema");

  private static final String OWN =
      """
      CREATE TABLE shop_order (
        id VARCHAR(36) PRIMARY KEY,
        item VARCHAR(100) NOT NULL,
        cents INT NOT NULL
      );
      """;

  private Migrations() {}

  /** How many there are. */
  static int count() {
    return SHIPPED.size() + 1;
  }

  /** Writes them into a new directory, which is returned. */
  static Path write(Path directory, DatabaseKind kind) throws IOException {
    Files.createDirectories(directory);
    int version = 0;
    for (String folder : SHIPPED) {
      version++;
      String file = folder + "/" + kind.name().toLowerCase(Locale.ROOT) + ".sql";
      try (InputStream shipped = Migrations.class.getResourceAsStream("/" + file)) {
        if (shipped == null) {
          throw new FileNotFoundException(file + " must be on the class path but was not found");
        }
        Files.copy(shipped, directory.resolve("V" + version + "__holdfast.sql"));
      }
    }
    Files.writeString(directory.resolve("V" + count() + "__shop.sql"), OWN);
    return directory;
  }
}
