package holdfast.testkit.disk;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** One run of the system's mounting programs. Safe for use by many threads. */
final class MountCommand {

  /** How a run ended: its exit code, and what the program said. */
  record Result(int exitCode, String output) {

    boolean succeeded() {
      return exitCode == 0;
    }
  }

  private MountCommand() {}

  static Result run(String... command) throws IOException {
    Process process = new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      return new Result(process.waitFor(), output.strip());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for " + command[0]);
    }
  }
}
