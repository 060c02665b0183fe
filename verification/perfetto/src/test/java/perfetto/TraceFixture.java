package perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tracer.Tracer;
import tracer.TracerBuilder;
import tracer.perfetto.PerfettoFiles;
import tracer.tool.TracerTool;

/** Tracers that write to a directory of their own, and the trace processor that reads it. */
@Timeout(120)
abstract class TraceFixture {
  @TempDir Path directory;

  final SettableTime time = new SettableTime();
  final TraceProcessor processor = TraceProcessor.get();

  /** Rings of a thousand events. */
  TracerBuilder tracer(PerfettoFiles files) {
    return Tracer.builder(files.processName("shop"))
        .time(time)
        .producers(2)
        .peakRate(8000)
        .burstWindow(Duration.ofSeconds(1))
        .largestDetail(500)
        .captureCrashes(false)
        .registerShutdownHook(false);
  }

  Tracer started() {
    Tracer tracer = tracer(PerfettoFiles.in(directory)).build();
    tracer.start();
    return tracer;
  }

  void pass(long nanos) {
    time.advance(Duration.ofNanos(nanos));
  }

  static void flush(Tracer tracer) throws InterruptedException {
    assertThat(tracer.flush(Duration.ofSeconds(20))).isTrue();
  }

  static void onAnotherThread(String name, Runnable work) throws InterruptedException {
    Thread thread = new Thread(work, name);
    thread.start();
    thread.join();
  }

  List<Path> files() throws IOException {
    return files(directory);
  }

  static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(it -> it.toString().endsWith(".perfetto-trace")).sorted().toList();
    }
  }

  /** The files, one after the other in one, as cat does it. */
  Path joined(List<Path> files) throws IOException {
    Path joined = directory.resolve("joined");
    try (OutputStream out = Files.newOutputStream(joined)) {
      for (Path file : files) {
        Files.copy(file, out);
      }
    }
    return joined;
  }

  /** Opens the only file. */
  TraceProcessor open() throws IOException {
    assertThat(files()).hasSize(1);
    return processor.open(files().get(0));
  }

  /** A JVM of its own that runs a program with the class path of this one. */
  static ProcessBuilder java(Class<?> program, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(program.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(Redirect.INHERIT);
  }

  /** Runs a program to its end, which must be a good one. */
  static void run(Class<?> program, Redirect output, String... arguments)
      throws IOException, InterruptedException {
    awaitEnd(java(program, arguments).redirectOutput(output).start());
  }

  static void awaitEnd(Process process) throws InterruptedException {
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  /** What the tool exports of files, or of directories of them, for Chrome's viewer. */
  Path exported(Path... files) throws IOException, InterruptedException {
    Path json = directory.resolve("exported.json");
    List<String> arguments = new ArrayList<>(List.of("export"));
    for (Path file : files) {
      arguments.add(file.toString());
    }
    run(TracerTool.class, Redirect.to(json.toFile()), arguments.toArray(String[]::new));
    return json;
  }
}
