package holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.process.Acknowledged;
import holdfast.testkit.process.ChildJvm;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.opentest4j.TestAbortedException;

@Timeout(60)
class UnavailableTest {

  /** Asks for a server, on a machine said to be another, and tells what came of it. */
  static final class ElsewhereMain {
    public static void main(String[] args) throws SQLException {
      try (TestDatabase database = TestDatabase.open(DatabaseKind.POSTGRESQL)) {
        Acknowledged.line("opened " + database);
      } catch (TestAbortedException e) {
        Acknowledged.line("aborted: " + e.getMessage());
      } catch (AssertionError e) {
        Acknowledged.line("failed: " + e.getMessage());
      }
    }
  }

  private static ChildJvm.Builder elsewhere() {
    return ChildJvm.of(ElsewhereMain.class).jvmOptions("-Dos.arch=aarch64");
  }

  @Test
  void abortsTheTestWithItsReason() throws InterruptedException {
    try (ChildJvm child = elsewhere().environment("CI", null).start()) {
      child.awaitExit(Duration.ofSeconds(30));
      assertThat(child.lines())
          .containsExactly(
              "aborted: not available here: PostgreSQL runs in tests on Linux amd64 only, and this"
                  + " is Linux aarch64");
    }
  }

  @Test
  void failsTheTestWhereNothingMayBeSkipped() throws InterruptedException {
    try (ChildJvm child = elsewhere().environment("CI", "true").start()) {
      child.awaitExit(Duration.ofSeconds(30));
      assertThat(child.lines())
          .containsExactly(
              "failed: not available here, and CI may not skip it: PostgreSQL runs in tests on"
                  + " Linux amd64 only, and this is Linux aarch64");
    }
  }
}
