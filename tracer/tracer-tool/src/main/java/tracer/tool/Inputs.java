package tracer.tool;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import tracer.perfetto.TraceEntry;
import tracer.perfetto.TraceReader;

/** The files of a command: those that were named, and those in directories that were named. */
final class Inputs {
  private static final String SUFFIX = ".perfetto-trace";

  private final List<Path> files;

  /**
   * The files of some paths.
   *
   * @throws IOException if there is no such file, or a directory has none
   */
  Inputs(List<Path> paths) throws IOException {
    files = new ArrayList<>();
    for (Path path : paths) {
      if (Files.isDirectory(path)) {
        files.addAll(in(path));
      } else if (Files.exists(path)) {
        files.add(path);
      } else {
        throw new NoSuchFileException(path.toString());
      }
    }
  }

  private static List<Path> in(Path directory) throws IOException {
    try (Stream<Path> found = Files.list(directory)) {
      List<Path> traces =
          found
              .filter(file -> file.getFileName().toString().endsWith(SUFFIX))
              .filter(Files::isRegularFile)
              .sorted()
              .toList();
      if (traces.isEmpty()) {
        throw new NoSuchFileException(
            directory.toString(), null, "the directory has no file *" + SUFFIX);
      }
      return traces;
    }
  }

  /**
   * Reads the files, one after the other.
   *
   * @param err where damaged files are named
   * @return what was found in all of them
   */
  TraceReader.Report read(Consumer<TraceEntry> entries, PrintWriter err) throws IOException {
    TraceReader.Report sum = new TraceReader.Report(0, 0, 0, 0, false);
    for (Path file : files) {
      TraceReader.Report report = TraceReader.read(file, entries);
      if (report.damagedBytes() > 0) {
        err.println(
            "tracer: %d bytes are damaged%s: %s"
                .formatted(
                    report.damagedBytes(),
                    report.truncated() ? ", at the end of the file" : "",
                    EntryText.word(file.toString())));
      }
      sum =
          new TraceReader.Report(
              sum.bytes() + report.bytes(),
              sum.chunks() + report.chunks(),
              sum.packets() + report.packets(),
              sum.damagedBytes() + report.damagedBytes(),
              sum.truncated() || report.truncated());
    }
    return sum;
  }
}
