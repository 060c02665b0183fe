package eventlog.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The tool, as its jar with the libraries beside it, reads a directory. */
@Timeout(60)
class PackagedToolIT extends ToolFixture {

  @Test
  void readsADirectory() throws Exception {
    fill(directory, "e", 3);
    Path output = directory.resolveSibling(directory.getFileName() + ".output");
    Process tool =
        new ProcessBuilder(
                Path.of("eventlog").toAbsolutePath().toString(), "inspect", directory.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(tool.waitFor(50, TimeUnit.SECONDS)).as("ended in time").isTrue();
      assertThat(Files.readString(output, StandardCharsets.UTF_8)).contains("3 events");
      assertThat(tool.exitValue()).isZero();
    } finally {
      tool.destroyForcibly();
      Files.delete(output);
    }
  }
}
