package holdfast.testkit.db;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.process.Acknowledged;
import holdfast.testkit.process.BuildProcess;
import holdfast.testkit.process.ChildJvm;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class BuildServersTest {

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Opens a database and waits to be killed. */
  static final class TesterMain {
    public static void main(String[] args) throws SQLException, IOException {
      try (TestDatabase database = TestDatabase.open(DatabaseKind.valueOf(args[0]))) {
        Acknowledged.line(Integer.toString(database.port()));
        Acknowledged.line(database.name());
        System.in.read();
      }
    }
  }

  /** Does nothing, as long as it lives. */
  static final class BuildMain {
    public static void main(String[] args) throws IOException {
      System.in.read();
    }
  }

  /** A build of its own that cannot start a keeper. */
  static final class BrokenMain {
    public static void main(String[] args) throws SQLException {
      System.setProperty(BuildProcess.PROPERTY, Long.toString(ProcessHandle.current().pid()));
      System.setProperty("java.class.path", "nowhere");
      TestDatabase.open(DatabaseKind.POSTGRESQL).close();
    }
  }

  @EachDatabase({DatabaseKind.POSTGRESQL, DatabaseKind.MARIADB})
  void allJvmsOfABuildShareAServer(TestDatabase database) throws InterruptedException {
    try (ChildJvm tester = ChildJvm.of(TesterMain.class, database.kind().name()).start()) {
      tester.awaitLines(2, PATIENCE);
      assertThat(tester.lines().get(0)).isEqualTo(Integer.toString(database.port()));
      assertThat(tester.lines().get(1)).isNotEqualTo(database.name());
    }
  }

  @EachDatabase({DatabaseKind.POSTGRESQL, DatabaseKind.MARIADB})
  void aServerOutlivesItsFirstUserAndEndsWithTheBuild(TestDatabase database) throws Exception {
    DatabaseKind kind = database.kind();
    try (ChildJvm build = ChildJvm.of(BuildMain.class).start();
        ChildJvm first = tester(kind, build).start();
        ChildJvm second = tester(kind, build).start()) {
      // Both at once: only one of them may start a server.
      String port = first.awaitLines(2, PATIENCE).get(0);
      assertThat(second.awaitLines(2, PATIENCE).get(0)).isEqualTo(port);
      assertThat(port).isNotEqualTo(Integer.toString(database.port()));
      Path directory = ServerDirectory.of(kind, ProcessHandle.of(build.pid()).orElseThrow()).path();
      assertThat(directory).isDirectory();

      first.kill();
      second.kill();
      assertThat(answers(Integer.parseInt(port))).isTrue();
      try (ChildJvm third = tester(kind, build).start()) {
        assertThat(third.awaitLines(2, PATIENCE).get(0)).isEqualTo(port);
      }

      build.kill();
      await(() -> !answers(Integer.parseInt(port)));
      await(() -> !Files.exists(directory.getParent()));
    }
    assertThat(answers(database.port())).isTrue();
  }

  @Test
  void aKeeperThatCannotStartLeavesItsLogInTheError(@TempDir Path temporary)
      throws InterruptedException {
    try (ChildJvm broken =
        ChildJvm.of(BrokenMain.class).jvmOptions("-Djava.io.tmpdir=" + temporary).start()) {
      assertThat(broken.awaitExit(PATIENCE)).isEqualTo(1);
      assertThat(broken.errors())
          .contains("the keeper of the PostgreSQL server must start it but ended with exit code 1")
          .contains("Could not find or load main class holdfast.testkit.db.ServerKeeper");
    }
  }

  private static ChildJvm.Builder tester(DatabaseKind kind, ChildJvm build) {
    return ChildJvm.of(TesterMain.class, kind.name())
        .jvmOptions("-D" + BuildProcess.PROPERTY + "=" + build.pid());
  }

  private static boolean answers(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (SocketException e) {
      // Refused, or reset: a server that is ended takes with it who is waiting to be accepted.
      return false;
    }
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    TimeSource time = TimeSource.system();
    long start = time.nanoTime();
    while (!condition.call()) {
      assertThat(time.nanoTime() - start).isLessThan(PATIENCE.toNanos());
      time.newAlarm().await(Duration.ofMillis(50));
    }
  }
}
