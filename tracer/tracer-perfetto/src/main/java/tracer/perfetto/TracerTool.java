package tracer.perfetto;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code tracer}: shows what is in a segment file. */
@Command(
    name = "tracer",
    description = "Shows what is in a trace file.",
    mixinStandardHelpOptions = true,
    subcommands = CommandLine.HelpCommand.class)
public final class TracerTool {
  private static final int DAMAGED = 3;
  private static final int UNREADABLE = 1;

  @Spec private @Nullable CommandSpec spec;

  private TracerTool() {}

  /**
   * Runs the command and ends the process: 0 if the file is whole, 3 if parts of it are damaged, 1
   * if it cannot be read, 2 if the arguments are wrong.
   *
   * @param args {@code dump FILE [--json]} or {@code stats FILE}
   */
  public static void main(String... args) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(run(out, err, args));
  }

  static int run(PrintWriter out, PrintWriter err, String... args) {
    return new CommandLine(new TracerTool())
        .setOut(out)
        .setErr(err)
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              err.println("tracer: " + e);
              return UNREADABLE;
            })
        .execute(args);
  }

  @Command(name = "dump", description = "Prints each event, a line each.")
  int dump(
      @Parameters(paramLabel = "FILE", description = "a segment file") Path file,
      @Option(names = "--json", description = "one JSON object a line") boolean json)
      throws IOException {
    PrintWriter out = out();
    TraceReader.Report report =
        TraceReader.read(
            file, entry -> out.println(json ? EntryText.json(entry) : EntryText.line(entry)));
    out.flush();
    return verdict(report);
  }

  @Command(name = "stats", description = "Prints how many events there are, of which kind.")
  int stats(@Parameters(paramLabel = "FILE", description = "a segment file") Path file)
      throws IOException {
    Statistics statistics = new Statistics();
    TraceReader.Report report = TraceReader.read(file, statistics::add);
    statistics.print(out(), report);
    return verdict(report);
  }

  private int verdict(TraceReader.Report report) {
    if (report.damagedBytes() > 0) {
      command()
          .commandLine()
          .getErr()
          .println(
              "tracer: %d bytes are damaged%s"
                  .formatted(
                      report.damagedBytes(), report.truncated() ? ", at the end of the file" : ""));
      return DAMAGED;
    }
    return 0;
  }

  private PrintWriter out() {
    return command().commandLine().getOut();
  }

  private CommandSpec command() {
    CommandSpec known = spec;
    if (known == null) {
      throw new IllegalStateException("the command was not started by picocli");
    }
    return known;
  }

  /** Counts of one file. Confined to one call. */
  private static final class Statistics {
    private final Map<String, Long> events = new TreeMap<>();
    private final Map<String, Long> threads = new TreeMap<>();
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
      threads.merge(EntryText.word(entry.threadName()), 1L, Long::sum);
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
      print(out, "thread   ", threads);
      print(out, "lost     ", lost);
      out.flush();
    }

    private static void print(PrintWriter out, String head, Map<String, Long> counts) {
      counts.forEach((name, count) -> out.println(head + count + " " + name));
    }
  }
}
