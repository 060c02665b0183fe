package tracer.tool;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tracer.perfetto.TraceEntry;
import tracer.perfetto.TraceReader;

/** The command {@code tracer}: shows what is in trace files. */
@Command(
    name = "tracer",
    description = "Shows what is in trace files.",
    mixinStandardHelpOptions = true,
    subcommands = CommandLine.HelpCommand.class)
public final class TracerTool {
  private static final int DAMAGED = 3;
  private static final int FAILED = 1;
  private static final String PATHS = "trace files, or directories of them";

  @Spec private @Nullable CommandSpec spec;

  private TracerTool() {}

  /**
   * Runs the command and ends the process: 0 if all files are whole, 3 if parts are damaged, 1 if
   * one cannot be read or the output cannot be written, 2 if the arguments are wrong.
   *
   * @param args {@code dump}, {@code stats}, {@code summary} or {@code export}, options and paths
   */
  public static void main(String... args) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(run(out, err, args));
  }

  static int run(PrintWriter out, PrintWriter err, String... args) {
    int code = execute(out, err, args);
    if (out.checkError()) { // writers of text do not throw
      err.println(
          "tracer: the output could not be written and is incomplete; free space on its disk, or"
              + " write it elsewhere");
      return FAILED;
    }
    return code;
  }

  private static int execute(PrintWriter out, PrintWriter err, String... args) {
    return new CommandLine(new TracerTool())
        .setOut(out)
        .setErr(err)
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              err.println("tracer: " + message(e));
              return FAILED;
            })
        .execute(args);
  }

  /** What cannot be read, in plain words; other failures as they are. */
  private static String message(Exception e) {
    if (e instanceof UncheckedIOException && e.getCause() instanceof IOException cause) {
      return message(cause);
    }
    if (e instanceof NoSuchFileException missing) {
      String reason = missing.getReason();
      return reason == null
          ? "%s does not exist; name a trace file or a directory of them"
              .formatted(EntryText.word(missing.getFile()))
          : "%s: %s; name another".formatted(EntryText.word(missing.getFile()), reason);
    }
    if (e instanceof AccessDeniedException denied) {
      return "%s cannot be read: permission denied; run the command as its owner"
          .formatted(EntryText.word(denied.getFile()));
    }
    return e.getClass().equals(IOException.class) ? String.valueOf(e.getMessage()) : e.toString();
  }

  @Command(name = "dump", description = "Prints each event, a line each, in the order of time.")
  int dump(
      @Parameters(paramLabel = "PATH", arity = "1..*", description = PATHS) List<Path> paths,
      @Mixin EntryFilter filter,
      @Option(names = "--json", description = "one JSON object a line") boolean json)
      throws IOException {
    PrintWriter out = out();
    return sorted(
        paths,
        entry -> {
          if (filter.matches(entry)) {
            out.println(json ? EntryText.json(entry) : EntryText.line(entry));
          }
        },
        out::flush);
  }

  @Command(name = "stats", description = "Prints how many events there are, of which kind.")
  int stats(
      @Parameters(paramLabel = "PATH", arity = "1..*", description = PATHS) List<Path> paths,
      @Mixin EntryFilter filter)
      throws IOException {
    Statistics statistics = new Statistics();
    Consumer<TraceEntry> matching =
        entry -> {
          if (filter.matches(entry)) {
            statistics.add(entry);
          }
        };
    TraceReader.Report report = new Inputs(paths).read(matching, err());
    statistics.print(out(), report);
    return verdict(report);
  }

  @Command(
      name = "summary",
      description = "Prints which spans took longest by themselves, and what was lost.")
  int summary(
      @Parameters(paramLabel = "PATH", arity = "1..*", description = PATHS) List<Path> paths,
      @Mixin EntryFilter filter,
      @Option(
              names = "--top",
              paramLabel = "COUNT",
              defaultValue = "20",
              description = "how many kinds of spans; default: ${DEFAULT-VALUE}")
          int top)
      throws IOException {
    Summary summary = new Summary(filter::matches);
    return sorted(paths, new JoinedSpans(summary::add), () -> summary.print(out(), top));
  }

  @Command(
      name = "export",
      description = "Prints all events in the JSON format of Chrome's trace viewer.")
  int export(
      @Parameters(paramLabel = "PATH", arity = "1..*", description = PATHS) List<Path> paths,
      @Mixin EntryFilter filter)
      throws IOException {
    ChromeJson json = new ChromeJson(out());
    Consumer<TraceEntry> matching =
        entry -> {
          if (filter.matches(entry)) {
            json.add(entry);
          }
        };
    return sorted(paths, new JoinedSpans(matching), json::end);
  }

  /** What is done when all entries were seen. */
  @FunctionalInterface
  private interface Ending {
    void run() throws IOException;
  }

  private int sorted(List<Path> paths, Consumer<TraceEntry> entries, Ending ending)
      throws IOException {
    try (SortedEntries sorted = new SortedEntries()) {
      TraceReader.Report report = new Inputs(paths).read(sorted::add, err());
      sorted.forEach(entries);
      ending.run();
      return verdict(report);
    }
  }

  private static int verdict(TraceReader.Report report) {
    return report.damagedBytes() > 0 ? DAMAGED : 0;
  }

  private PrintWriter err() {
    return command().commandLine().getErr();
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
}
