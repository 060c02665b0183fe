package tracer.tool;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tracer.perfetto.TraceEntry;
import tracer.perfetto.TraceReader;

/** How many entries there are of which kind. Confined to one call. */
final class Statistics {
  private final Map<String, Long> events = new TreeMap<>();
  private final Map<String, Long> threads = new TreeMap<>();
  private final Map<String, Long> processes = new TreeMap<>();
  private final Map<String, Long> lost = new TreeMap<>();
  private @Nullable Instant first;
  private @Nullable Instant last;

  void add(TraceEntry entry) {
    if (entry.isLoss()) {
      Object count = entry.values().getOrDefault("count", 0L);
      String key = entry.lane() + " " + entry.values().getOrDefault("reason", "");
      lost.merge(key, count instanceof Long number ? number : 0L, Long::sum);
      return;
    }
    events.merge(entry.lane() + " " + EntryText.word(entry.name()), 1L, Long::sum);
    processes.merge(entry.pid() + " " + EntryText.word(entry.processName()), 1L, Long::sum);
    if (EntryText.hasThread(entry)) {
      threads.merge(EntryText.word(entry.threadName()), 1L, Long::sum);
    }
    first = first == null || entry.time().isBefore(first) ? entry.time() : first;
    last = last == null || entry.time().isAfter(last) ? entry.time() : last;
  }

  void print(PrintWriter out, TraceReader.Report report) {
    out.println("bytes    " + report.bytes());
    out.println("chunks   " + report.chunks());
    out.println("packets  " + report.packets());
    out.println("damaged  " + report.damagedBytes());
    if (first != null && last != null) {
      out.println("first    " + first);
      out.println("last     " + last);
      out.println("span     " + Duration.between(first, last));
    }
    print(out, "event    ", events);
    print(out, "process  ", processes);
    print(out, "thread   ", threads);
    print(out, "lost     ", lost);
    out.flush();
  }

  private static void print(PrintWriter out, String head, Map<String, Long> counts) {
    counts.forEach((name, count) -> out.println(head + count + " " + name));
  }
}
