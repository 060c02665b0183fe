package tracer;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.lifecycle.Threads;
import holdfast.testkit.process.ChildJvm;
import holdfast.testkit.threads.Eventually;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
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

  /** A program that ends while a thread of its own closes the tracer, whose sink is slow. */
  static final class ProgramEndingInClose {
    public static void main(String[] args) throws InterruptedException {
      CountDownLatch writing = new CountDownLatch(1);
      LineSink lines = new LineSink(Path.of(args[0]));
      TraceSink slow =
          new TraceSink() {
            @Override
            public void write(TraceBatch batch) throws IOException {
              writing.countDown();
              Eventually.await("the JVM waits for it", ProgramEndingInClose::isWaitedFor);
              lines.write(batch);
            }
          };
      Tracer tracer = Tracer.builder(slow).build();
      tracer.index().record(STEP, 1, 2);
      tracer.start();
      Threads.daemon("closing").newThread(tracer::close).start();
      writing.await();
      System.exit(0);
    }

    /** Whether the hook has nothing left to do but to wait; if it did not, the JVM would end. */
    private static boolean isWaitedFor() {
      return Thread.getAllStackTraces().values().stream()
          .map(frames -> Stream.of(frames).map(StackTraceElement::getMethodName).toList())
          .anyMatch(
              methods ->
                  methods.contains("shutDown")
                      && methods.contains("await")
                      && !methods.contains("record"));
    }
  }

  @Test
  void theEndOfTheJvmWaitsForACloseUnderWay() throws Exception {
    Path file = directory.resolve("lines");
    try (ChildJvm child = ChildJvm.of(ProgramEndingInClose.class, file.toString()).start()) {
      assertThat(child.awaitExit(Duration.ofSeconds(30))).isZero();
    }
    assertThat(Files.readAllLines(file)).anyMatch(line -> line.startsWith("INDEX test.step"));
  }

  @Test
  void aLongStackTraceIsCutBetweenCharacters() throws InterruptedException {
    Thread.UncaughtExceptionHandler original = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {});
    try {
      for (int shift = 0; shift < 3; shift++) {
        String message = "x".repeat(shift) + "\u20ac".repeat(10_000); // three bytes each
        Tracer tracer =
            started(
                settings ->
                    settings.captureCrashes(true).peakRate(8_000).time(TimeSource.system()));
        onAnotherThread(
            () -> {
              throw new IllegalStateException(message);
            });
        tracer.close();
      }
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(original);
    }

    assertThat(sink.texts(Lane.CRITICAL))
        .hasSize(3)
        .allMatch(text -> text.endsWith("\u20ac"))
        .allMatch(text -> text.getBytes(StandardCharsets.UTF_8).length > 16 * 1024 - 3);
  }

  @Test
  void aClosedTracerIsForgottenThoughItsHandlerStaysInTheLine() {
    Thread.UncaughtExceptionHandler original = Thread.getDefaultUncaughtExceptionHandler();
    try {
      Tracer old = Tracer.builder(new LineSink(directory.resolve("old"))).build();
      WeakReference<CriticalLane> lane = new WeakReference<>(old.critical());
      old.start();
      Tracer next = started(settings -> settings.captureCrashes(true));
      old.close();
      old = null;
      Eventually.await(
          "it is collected",
          () -> {
            System.gc();
            return lane.get() == null;
          });
      assertThat(Thread.getDefaultUncaughtExceptionHandler()).isNotSameAs(original);
      next.close();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(original);
    }
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
