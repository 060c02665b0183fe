package holdfast.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ChildJvmTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Test
  void theLongestPatienceIsNoTrouble() throws InterruptedException {
    Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
    try (ChildJvm child = ChildJvm.of(Children.Echo.class, "one").start()) {
      assertThat(child.awaitLine("one"::equals, forever)).isEqualTo("one");
      assertThat(child.awaitExit(forever)).isZero();
    }
  }

  @Test
  void readsWhatTheChildAcknowledges() throws InterruptedException {
    try (ChildJvm child = ChildJvm.of(Children.Echo.class, "one", "zwölf", "").start()) {
      assertThat(child.awaitExit(PATIENCE)).isZero();
      assertThat(child.lines()).containsExactly("one", "zwölf", "");
      assertThat(child.awaitLine(line -> line.startsWith("z"), PATIENCE)).isEqualTo("zwölf");
      assertThat(child.isAlive()).isFalse();
    }
  }

  @RepeatedTest(5)
  void keepsEveryLineAcknowledgedBeforeTheKill(@TempDir Path temporary) throws Exception {
    Path file = temporary.resolve("acknowledged");
    try (ChildJvm child = ChildJvm.of(Children.Counting.class, file.toString()).start()) {
      child.awaitLines(1_000, PATIENCE);
      assertThat(child.kill()).isEqualTo(137);
      int acknowledged = ByteBuffer.wrap(Files.readAllBytes(file)).getInt();
      List<String> lines = child.lines();
      assertThat(lines).hasSizeBetween(acknowledged, acknowledged + 1);
      assertThat(lines)
          .isEqualTo(IntStream.rangeClosed(1, lines.size()).mapToObj(Integer::toString).toList());
      assertThat(child.kill()).isEqualTo(137);
    }
  }

  @Test
  void leavesOutALineTheKillTore() throws InterruptedException {
    try (ChildJvm child = ChildJvm.of(Children.Torn.class).start()) {
      child.awaitLine("whole"::equals, PATIENCE);
      child.kill();
      assertThat(child.lines()).containsExactly("whole");
    }
  }

  @Test
  void showsTheErrorsOfAChildThatDiesEarly() {
    try (ChildJvm child = ChildJvm.of(Children.Failing.class).start()) {
      assertThatThrownBy(() -> child.awaitLines(2, PATIENCE))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("Failing must print 2 lines within PT30S")
          .hasMessageContaining("but ended with exit code 7")
          .hasMessageContaining("started")
          .hasMessageContaining("no bread");
    }
  }

  @Test
  void showsWhatAChildSaidThatTakesTooLong() throws InterruptedException {
    try (ChildJvm child = ChildJvm.of(Children.Waiting.class).start()) {
      child.awaitLines(1, PATIENCE);
      assertThatThrownBy(() -> child.awaitLine("done"::equals, Duration.ofMillis(1)))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("but still runs")
          .hasMessageContaining("waiting");
      assertThatThrownBy(() -> child.awaitExit(Duration.ofMillis(1)))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("Waiting must end within PT0.001S but still runs");
    }
  }

  @Test
  void killsTheChildWhenClosed() throws InterruptedException {
    ChildJvm child = ChildJvm.of(Children.Waiting.class).start();
    child.close();
    assertThat(child.awaitExit(PATIENCE)).isEqualTo(137);
  }

  @Test
  void doesNotLeaveChildrenBehindWhenTheirJvmEnds() throws InterruptedException {
    try (ChildJvm parent = ChildJvm.of(Children.Parent.class).start()) {
      assertThat(parent.awaitExit(PATIENCE)).isZero();
      assertThat(ProcessHandle.of(Long.parseLong(parent.lines().get(0)))).isEmpty();
    }
  }

  @Test
  void passesOptionsEnvironmentAndTheBuildOn() throws InterruptedException {
    try (ChildJvm child =
        ChildJvm.of(Children.Settings.class)
            .jvmOptions("-Dcolour=red", "-Xmx32m")
            .environment("TASTE", "sweet")
            .start()) {
      child.awaitExit(PATIENCE);
      assertThat(child.lines())
          .containsExactly(Long.toString(BuildProcess.current().pid()), "red", "sweet");
    }
  }

  @Test
  void refusesToAcknowledgeMoreThanOneLine() {
    assertThatThrownBy(() -> Acknowledged.line("one\ntwo"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must not hold a line break");
  }
}
