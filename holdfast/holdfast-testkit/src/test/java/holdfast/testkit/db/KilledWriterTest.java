package holdfast.testkit.db;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.process.Acknowledged;
import holdfast.testkit.process.ChildJvm;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class KilledWriterTest {

  /** Inserts numbers one by one and acknowledges each, until it is killed. */
  static final class WriterMain {
    public static void main(String[] args) throws SQLException {
      try (Connection connection = DriverManager.getConnection(args[0], args[1], args[2]);
          PreparedStatement insert =
              connection.prepareStatement("INSERT INTO written VALUES (?)")) {
        for (int number = 1; ; number++) {
          insert.setInt(1, number);
          insert.executeUpdate();
          Acknowledged.line(Integer.toString(number));
        }
      }
    }
  }

  @EachDatabase({DatabaseKind.POSTGRESQL, DatabaseKind.MARIADB})
  void rowsItAcknowledgedSurviveIt(TestDatabase database) throws Exception {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE written (number INT PRIMARY KEY)");
    }
    try (ChildJvm writer =
        ChildJvm.of(WriterMain.class, database.url(), database.user(), database.password())
            .start()) {
      writer.awaitLines(50, Duration.ofSeconds(60));
      assertThat(writer.kill()).isEqualTo(137);
      List<Integer> acknowledged = writer.lines().stream().map(Integer::valueOf).toList();
      List<Integer> written = written(database);
      assertThat(written).startsWith(acknowledged.toArray(Integer[]::new));
      assertThat(written).hasSizeBetween(acknowledged.size(), acknowledged.size() + 1);
    }
  }

  private static List<Integer> written(TestDatabase database) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT number FROM written ORDER BY number")) {
      List<Integer> numbers = new ArrayList<>();
      while (rows.next()) {
        numbers.add(rows.getInt(1));
      }
      return numbers;
    }
  }
}
