package tour;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The process of a worker. For one thread. */
final class WorkerProcess {
  private static final long SECONDS_TO_END = 15;

  private final Process process;

  /** Starts one and waits until it works. */
  WorkerProcess(String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Dslf4j.internal.verbosity=ERROR", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(Worker.class.getName());
    command.addAll(List.of(args));
    this.process = new ProcessBuilder(command).redirectError(Redirect.DISCARD).start();
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    if (!"ready".equals(lines.readLine())) {
      throw new IOException("the worker process must say that it is ready but ended instead");
    }
  }

  long pid() {
    return process.pid();
  }

  /** The way of {@code kill -9}: it cannot even say goodbye. */
  void kill() {
    process.destroyForcibly();
  }

  /** Lets it end by itself. */
  void end() throws IOException, InterruptedException {
    try (OutputStream closing = process.getOutputStream()) {
      closing.flush();
    }
    if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
      kill();
    }
  }
}
