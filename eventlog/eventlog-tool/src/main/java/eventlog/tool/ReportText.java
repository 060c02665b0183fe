package eventlog.tool;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A report for people. Stateless. */
final class ReportText {
  private static final long KIB = 1024;

  private ReportText() {}

  static String of(DirectoryReport.Whole report) {
    return report.directories().stream().map(ReportText::of).collect(Collectors.joining("\n"));
  }

  private static String of(DirectoryReport report) {
    StringBuilder text = new StringBuilder(report.directory()).append('\n');
    line(text, "used by", holder(report.usedBy()));
    events(text, "active", report.active());
    events(text, "replay", report.replay());
    setAside(text, report.quarantine());
    return text.toString();
  }

  private static String holder(@Nullable String usedBy) {
    if (usedBy == null) {
      return "nobody";
    }
    return usedBy.isEmpty() ? "a process" : usedBy;
  }

  private static void events(
      StringBuilder text, String name, DirectoryReport.@Nullable Events file) {
    if (file == null) {
      line(text, name, "none");
      return;
    }
    line(
        text,
        name,
        number(file.events())
            + " events, "
            + size(file.bytes())
            + span(file.oldest(), file.newest()));
    if (file.sent() > 0) {
      long percent = file.bytes() == 0 ? 0 : 100 * file.sentBytes() / file.bytes();
      line(text, "", number(file.sent()) + " lines sent before, " + percent + " % of the file");
    }
    if (file.badLines() > 0) {
      line(text, "", number(file.badLines()) + " bad lines, the first of them:");
      file.examples().forEach(bad -> line(text, "", "line " + bad.line() + ": " + bad.problem()));
    }
  }

  private static void setAside(StringBuilder text, DirectoryReport.@Nullable SetAside file) {
    if (file == null) {
      line(text, "quarantine", "none");
      return;
    }
    String reasons =
        file.linesBy().entrySet().stream()
            .map((Map.Entry<String, Long> by) -> by.getKey() + " " + number(by.getValue()))
            .collect(Collectors.joining(", "));
    line(
        text,
        "quarantine",
        number(file.lines())
            + " lines, "
            + size(file.bytes())
            + span(file.oldest(), file.newest())
            + ": "
            + reasons);
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(String.format(Locale.ROOT, "  %-12s%s%n", name, value));
  }

  private static String span(@Nullable Instant oldest, @Nullable Instant newest) {
    return oldest == null ? "" : ", " + oldest + " to " + newest;
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String size(long bytes) {
    if (bytes < KIB) {
      return bytes + " bytes";
    }
    return bytes < KIB * KIB
        ? String.format(Locale.ROOT, "%.1f KiB", bytes / (double) KIB)
        : String.format(Locale.ROOT, "%,.1f MiB", bytes / (double) (KIB * KIB));
  }
}
