package tracer.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tracer.TraceEvent;
import tracer.Tracer;
import tracer.perfetto.PerfettoFiles;

/** The tool, as its jar with the libraries beside it, reads a file. */
@Timeout(60)
class PackagedToolIT {
  private static final TraceEvent PACKAGED = TraceEvent.named("shop.packaged");

  @Test
  void readsAFile(@TempDir Path directory) throws Exception {
    try (Tracer tracer = Tracer.builder(PerfettoFiles.in(directory)).build()) {
      tracer.start();
      tracer.index().record(PACKAGED, 7, 8);
    }
    Path output = directory.resolve("output");
    Process tool =
        new ProcessBuilder(
                Path.of("tracer").toAbsolutePath().toString(), "dump", segment(directory))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(tool.waitFor(50, TimeUnit.SECONDS)).as("ended in time").isTrue();
    } finally {
      tool.destroyForcibly();
    }
    assertThat(Files.readString(output, StandardCharsets.UTF_8))
        .contains("shop.packaged")
        .contains("a=7 b=8");
    assertThat(tool.exitValue()).isZero();
  }

  private static String segment(Path directory) throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(Path::toString)
          .filter(file -> file.endsWith(".perfetto-trace"))
          .findFirst()
          .orElseThrow();
    }
  }
}
