package tracer;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.process.ChildJvm;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import tracer.sink.TraceBatch;
import tracer.sink.TraceSink;

/** The end of a program is on the critical lane, and reaches the sink. */
class CrashesTest extends TracerFixture {

  /** Appends what it gets to a file. */
  static final class LineSink implements TraceSink {
    private final Path file;

    LineSink(Path file) {
      this.file = file;
    }

    @Override
    public void write(TraceBatch batch) throws IOException {
      StringBuilder lines = new StringBuilder();
      while (batch.next()) {
        byte[] bytes = new byte[batch.length()];
        batch.copyBytes(bytes, 0);
        String text = new String(bytes, StandardCharsets.UTF_8).replace('\n', ' ');
        lines.append(batch.lane()).append(' ').append(batch.event()).append(' ').append(text);
        lines.append('\n');
      }
      Files.writeString(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }

  /** A program that fails on its only thread. */
  static final class FailingProgram {
    public static void main(String[] args) {
      Tracer tracer = Tracer.builder(new LineSink(Path.of(args[0]))).build();
      tracer.start();
      tracer.index().record(STEP, 1, 2);
      throw new IllegalStateException("the end of it");
    }
  }

  @Test
  void anUncaughtExceptionAndTheEndOfTheJvmAreWritten() throws Exception {
    Path file = directory.resolve("lines");
    try (ChildJvm child = ChildJvm.of(FailingProgram.class, file.toString()).start()) {
      assertThat(child.awaitExit(Duration.ofSeconds(30))).isEqualTo(1);
      assertThat(child.errors()).contains("IllegalStateException: the end of it");
    }

    assertThat(Files.readAllLines(file))
        .anyMatch(line -> line.startsWith("INDEX test.step"))
        .anyMatch(
            line ->
                line.startsWith("CRITICAL tracer.uncaught thread main")
                    && line.contains("the end of it")
                    && line.contains("FailingProgram.main"))
        .anyMatch(line -> line.startsWith("CRITICAL tracer.shutdown"));
  }

  @Test
  void whoHandledExceptionsBeforeStillDoesAndHasItBackAfterwards() throws InterruptedException {
    Thread.UncaughtExceptionHandler original = Thread.getDefaultUncaughtExceptionHandler();
    AtomicReference<String> handled = new AtomicReference<>();
    Thread.UncaughtExceptionHandler mine = (thread, e) -> handled.set(e.getMessage());
    Thread.setDefaultUncaughtExceptionHandler(mine);
    try {
      Tracer tracer =
          started(
              settings -> settings.captureCrashes(true).peakRate(4000).time(TimeSource.system()));
      onAnotherThread(
          () -> {
            throw new IllegalStateException("oops");
          });
      tracer.close();

      assertThat(handled).hasValue("oops");
      assertThat(sink.texts(Lane.CRITICAL)).singleElement().asString().contains("oops");
      assertThat(Thread.getDefaultUncaughtExceptionHandler()).isSameAs(mine);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(original);
    }
  }
}
