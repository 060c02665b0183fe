package holdfast.testkit.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The last line of each library is written, once, however the JVM ends. The program under test
 * calls {@link #ready} when it runs, and closes nothing itself.
 */
@Timeout(240)
public abstract class LastLineContract {
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final String READY = "ready";
  private static final String WAITS = "waits";
  private static final int TERMINATED = 143;

  private final List<Pattern> lastLines;
  private final Class<?> program;
  private final String[] args;

  /**
   * For one program.
   *
   * @param lastLines each matches a line that is expected, and no other
   * @param program its main class
   * @param args what its main method is given, after the argument that {@link #ready} wants
   */
  protected LastLineContract(List<String> lastLines, Class<?> program, String... args) {
    this.lastLines = lastLines.stream().map(Pattern::compile).toList();
    this.program = program;
    this.args = args;
  }

  /** Tells the test that the program runs, and returns when its main method is to end. */
  public static void ready(String[] args) throws InterruptedException {
    Acknowledged.line(READY);
    if (args[0].equals(WAITS)) {
      new CountDownLatch(1).await();
    }
  }

  @Test
  final void atTheEndOfMain() throws InterruptedException {
    try (ChildJvm child = start("ends")) {
      assertEquals(0, child.awaitExit(SOON), child::errors);
      assertWritten(child);
    }
  }

  @Test
  final void atATerminationSignal() throws InterruptedException {
    try (ChildJvm child = start(WAITS)) {
      child.awaitLine(READY::equals, SOON);
      assertEquals(TERMINATED, child.terminate(SOON), child::errors);
      assertWritten(child);
    }
  }

  private ChildJvm start(String until) {
    return ChildJvm.of(
            program, Stream.concat(Stream.of(until), Arrays.stream(args)).toArray(String[]::new))
        .start();
  }

  private void assertWritten(ChildJvm ended) {
    List<String> written = Stream.concat(ended.lines().stream(), ended.errors().lines()).toList();
    for (Pattern lastLine : lastLines) {
      assertEquals(
          1,
          written.stream().filter(lastLine.asPredicate()).count(),
          () -> "lines that match " + lastLine + " in\n" + String.join("\n", written));
    }
  }
}
