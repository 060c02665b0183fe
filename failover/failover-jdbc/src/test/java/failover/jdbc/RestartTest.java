package failover.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import failover.Failovers;
import failover.jdbc.StoringProcess.Connections;
import failover.jdbc.StoringProcess.Kind;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.process.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;

/** What one process has stored another gives, with every type it had. */
class RestartTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir Path directory;

  @EachDatabase
  void answersOfEveryKindOutliveTheProcess(TestDatabase database) throws Exception {
    Connections connections = connections(database);
    try (ChildJvm child =
        ChildJvm.of(
                StoringProcess.class, connections.url(), connections.user(), connections.password())
            .start()) {
      child.awaitLine(line -> line.equals("stored " + StoringProcess.kinds().size()), SOON);
      assertThat(child.awaitExit(SOON)).isZero();
    }
    try (Failovers failovers = StoringProcess.failovers(connections)) {
      for (Kind<?> kind : StoringProcess.kinds()) {
        assertThat((Object) kind.recover(failovers))
            .as(kind.spec().name())
            .isEqualTo(kind.answer());
      }
    }
  }

  /** A database in memory would end with its process; this one is in a file. */
  private Connections connections(TestDatabase database) {
    return database.kind() == DatabaseKind.H2
        ? new Connections(
            "jdbc:h2:file:" + directory.resolve("answers") + ";WRITE_DELAY=0", "sa", "")
        : new Connections(database.url(), database.user(), database.password());
  }
}
