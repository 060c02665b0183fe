package eventlog.tool;

import eventlog.replay.LineReader;
import eventlog.spill.LineScan;
import eventlog.spill.LockHolder;
import eventlog.spill.Progress;
import eventlog.spill.SpillFiles;
import eventlog.spill.SpillHome;
import eventlog.tool.DirectoryReport.BadLine;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Looks at directories without locking or changing anything. If a process uses one, its files may
 * change meanwhile; then the numbers are those of different moments. Stateless.
 */
final class Inspection {
  private static final int MOST_EXAMPLES = 10;

  DirectoryReport.Whole of(Path root) throws IOException {
    List<DirectoryReport> found = new ArrayList<>();
    for (Path path : SpillHome.directories(root)) {
      SpillFiles files = new SpillFiles(path);
      found.add(
          new DirectoryReport(
              path.toString(),
              LockHolder.of(files),
              events(files.active(), 0),
              events(files.replay(), Progress.offset(files)),
              setAside(files.quarantine())));
    }
    return new DirectoryReport.Whole(found);
  }

  /**
   * A file of events.
   *
   * @param from where the first event begins that is not yet sent
   * @return null if there is no such file
   */
  private static DirectoryReport.@Nullable Events events(Path file, long from) throws IOException {
    LineScan scan = LineScan.of(file, 0);
    Span span = new Span();
    Map<String, Long> problems = new TreeMap<>();
    List<BadLine> examples = new ArrayList<>();
    long line = 0;
    long sent = 0;
    long events = 0;
    try (LineReader lines = new LineReader(file, 0, LockedDirectories.LIMITS.maxLineBytes())) {
      long start = 0;
      while (lines.next()) {
        line++;
        if (start < from) {
          sent++;
        } else {
          try {
            span.add(lines.event().eventTimestamp());
            events++;
          } catch (IllegalArgumentException e) {
            boolean torn = start >= scan.tailAt();
            String problem = torn ? "the line is not finished" : String.valueOf(e.getMessage());
            problems.merge(problem, 1L, Long::sum);
            if (examples.size() < MOST_EXAMPLES) {
              examples.add(new BadLine(line, problem));
            }
          }
        }
        start = lines.nextOffset();
      }
    } catch (NoSuchFileException e) {
      return null;
    }
    long bad = problems.values().stream().mapToLong(Long::longValue).sum();
    return new DirectoryReport.Events(
        scan.size(), events, sent, from, span.oldest(), span.newest(), bad, problems, examples);
  }

  private static DirectoryReport.@Nullable SetAside setAside(Path file) throws IOException {
    Span span = new Span();
    Map<String, Long> reasons = new TreeMap<>();
    long count = 0;
    try (LineReader lines = new LineReader(file, 0, QuarantineLine.MOST_BYTES)) {
      while (lines.next()) {
        count++;
        QuarantineLine line = QuarantineLine.of(lines.copy());
        reasons.merge(line.reason(), 1L, Long::sum);
        if (line.at() != null) {
          span.add(line.at());
        }
      }
    } catch (NoSuchFileException e) {
      return null;
    }
    long bytes = LineScan.of(file, 0).size();
    return new DirectoryReport.SetAside(bytes, count, reasons, span.oldest(), span.newest());
  }
}
