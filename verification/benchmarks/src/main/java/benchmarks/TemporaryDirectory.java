package benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory for one measurement. For one thread. */
public record TemporaryDirectory(Path path) implements AutoCloseable {
  /** A new one. */
  public static TemporaryDirectory temporary() throws IOException {
    return new TemporaryDirectory(Files.createTempDirectory("holdfast-benchmark"));
  }

  @Override
  public void close() throws IOException {
    List<Path> all;
    try (Stream<Path> found = Files.walk(path)) {
      all = found.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path one : all) {
      Files.delete(one);
    }
  }
}
