package failover.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import failover.Failovers;
import failover.jdbc.StoringProcess.Kind;
import holdfast.testkit.db.ConnectionPool;
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
    String[] where = where(database);
    try (ChildJvm child = ChildJvm.of(StoringProcess.class, where).start()) {
      child.awaitLine(line -> line.equals("stored " + StoringProcess.kinds().size()), SOON);
      assertThat(child.awaitExit(SOON)).isZero();
    }
    try (ConnectionPool pool = StoringProcess.connections(where[0], where[1], where[2]);
        Failovers failovers = StoringProcess.failovers(pool)) {
      for (Kind<?> kind : StoringProcess.kinds()) {
        assertThat((Object) kind.recover(failovers))
            .as(kind.spec().name())
            .isEqualTo(kind.answer());
      }
    }
  }

  /** A database in memory would end with its process; this one is in a file. */
  private String[] where(TestDatabase database) {
    return database.kind() == DatabaseKind.H2
        ? new String[] {"jdbc:h2:file:" + directory.resolve("answers") + ";WRITE_DELAY=0", "sa", ""}
        : new String[] {database.url(), database.user(), database.password()};
  }
}
