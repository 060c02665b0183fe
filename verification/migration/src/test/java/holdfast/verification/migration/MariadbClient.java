package holdfast.verification.migration;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;

/** The program {@code mariadb}, which lies beside that of the server. Stateless. */
final class MariadbClient {
  private static final int MOST_SECONDS = 60;

  private MariadbClient() {}

  /** Does what {@code mariadb database < file} does. */
  static void run(Path file, TestDatabase database) throws Exception {
    Path home = home(database);
    Path output = file.resolveSibling(file.getFileName() + ".out");
    ProcessBuilder client =
        new ProcessBuilder(
                home.resolve("bin/mariadb").toString(),
                "--no-defaults",
                "--protocol=tcp",
                "--skip-ssl",
                "--host=" + database.host(),
                "--port=" + database.port(),
                "--user=" + database.user(),
                database.name())
            .redirectInput(file.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    client.environment().put("LD_LIBRARY_PATH", home.resolve("libs").toString());
    Process running = client.start();
    try {
      assertThat(running.waitFor(MOST_SECONDS, TimeUnit.SECONDS)).as("ends").isTrue();
      assertThat(running.exitValue()).as(Files.readString(output)).isZero();
    } finally {
      running.destroyForcibly();
    }
  }

  private static Path home(TestDatabase database) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("SELECT @@basedir")) {
      found.next();
      return Path.of(found.getString(1));
    }
  }
}
