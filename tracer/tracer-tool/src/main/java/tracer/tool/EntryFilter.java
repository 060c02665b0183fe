package tracer.tool;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tracer.Lane;
import tracer.perfetto.TraceEntry;

/** Which entries a command is about: those that each option allows. */
final class EntryFilter {
  @Option(
      names = "--event",
      paramLabel = "NAME",
      description = "events of that name; * stands for any characters; may be repeated")
  private List<String> events = List.of();

  @Option(
      names = "--thread",
      paramLabel = "NAME",
      description = "events of threads of that name, with * as above, or of that number")
  private List<String> threads = List.of();

  @Option(
      names = "--process",
      paramLabel = "NAME",
      description = "events of processes of that name, with * as above, or of that number")
  private List<String> processes = List.of();

  @Option(names = "--lane", paramLabel = "LANE", description = "INDEX, DETAIL or CRITICAL")
  private List<Lane> lanes = List.of();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "events from then on, such as 2026-01-31T12:00:00Z")
  private @Nullable Instant from;

  @Option(names = "--to", paramLabel = "TIME", description = "events before then")
  private @Nullable Instant to;

  boolean matches(TraceEntry entry) {
    return isOne(events, entry.name(), null)
        && isOne(threads, entry.threadName(), entry.thread())
        && isOne(processes, entry.processName(), entry.pid())
        && (lanes.isEmpty() || lanes.stream().anyMatch(lane -> lane.name().equals(entry.lane())))
        && (from == null || !entry.time().isBefore(from))
        && (to == null || entry.time().isBefore(to));
  }

  private static boolean isOne(List<String> wanted, String name, @Nullable Long number) {
    return wanted.isEmpty()
        || wanted.stream()
            .anyMatch(
                pattern ->
                    (number != null && pattern.equals(number.toString())) || isLike(pattern, name));
  }

  /** Whether a name is what a pattern says, in which * stands for any characters. */
  private static boolean isLike(String pattern, String name) {
    int at = 0;
    String[] parts = pattern.split("\\*", -1);
    for (int i = 0; i < parts.length; i++) {
      boolean isLast = i == parts.length - 1;
      int found =
          i == 0
              ? 0
              : isLast
                  ? Math.max(at, name.length() - parts[i].length())
                  : name.indexOf(parts[i], at);
      if (found < 0 || !name.startsWith(parts[i], found)) {
        return false;
      }
      at = found + parts[i].length();
    }
    return at == name.length() || pattern.endsWith("*");
  }
}
