package eventlog.tool;

import eventlog.AsyncEventLoggerBuilder;
import eventlog.HttpEventLogClientBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The command line {@code eventlog inspect|replay|requeue DIR}.
 *
 * <pre>
 * 0  done
 * 1  done in part: events are left on disk, or were set aside
 * 2  called wrongly
 * 3  a process uses the directory; nothing was done
 * 4  the files cannot be read or written
 * </pre>
 */
@Command(
    name = "eventlog",
    mixinStandardHelpOptions = true,
    version = "eventlog 0.1.0-SNAPSHOT",
    description =
        "Looks into a spillover directory, sends what is in it, brings back what was"
            + " set aside.",
    synopsisSubcommandLabel = "inspect|replay|requeue",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:done in part: events are left on disk, or were set aside",
      "2:called wrongly",
      "3:a process uses the directory; nothing was done",
      "4:the files cannot be read or written"
    })
public final class EventLogTool {
  private static final Logger LOG = Logger.getLogger("eventlog");

  private final Terminal terminal;

  EventLogTool(Terminal terminal) {
    this.terminal = terminal;
  }

  /**
   * Runs the tool and ends the process with its exit code.
   *
   * @param args as {@code --help} shows
   */
  public static void main(String... args) {
    LOG.setLevel(Level.WARNING); // what was found is in the report
    System.exit(run(Terminal.system(), args));
  }

  static int run(Terminal terminal, String... args) {
    return new CommandLine(new EventLogTool(terminal))
        .setOut(terminal.out())
        .setErr(terminal.err())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler((e, command, parsed) -> failed(terminal, e))
        .execute(args);
  }

  private static int failed(Terminal terminal, Exception e) throws Exception {
    if (e instanceof ToolException known) {
      terminal.err().println("eventlog: " + known.getMessage());
      return known.exit().code();
    }
    if (e instanceof IOException) {
      terminal.err().println("eventlog: the files cannot be read or written: " + e);
      return Exit.FILES.code();
    }
    if (e instanceof IllegalArgumentException) {
      terminal.err().println("eventlog: " + e.getMessage());
      return Exit.USAGE.code();
    }
    throw e;
  }

  @Command(
      description = "Shows what is in a directory. Changes nothing; the directory may be in use.",
      mixinStandardHelpOptions = true)
  int inspect(
      @Parameters(paramLabel = "DIR", description = "The spillover directory.") Path directory,
      @Option(names = "--json", description = "As one JSON object.") boolean json)
      throws IOException {
    DirectoryReport.Whole report = new Inspection().of(existing(directory));
    terminal.out().print(json ? report.toJson() + "\n" : ReportText.of(report));
    terminal.out().flush();
    return Exit.DONE.code();
  }

  @Command(
      description = {
        "Sends what is in a directory that nobody uses, as a logger would, and remembers how far it"
            + " came. What the API refuses, and lines that are no events, are set aside.",
        "An API key is read from the environment variable EVENTLOG_API_KEY, a bearer token from"
            + " EVENTLOG_BEARER_TOKEN."
      },
      mixinStandardHelpOptions = true)
  int replay(
      @Parameters(paramLabel = "DIR", description = "The spillover directory.") Path directory,
      @Option(
              names = "--url",
              required = true,
              description = "Where the Event Log API is, without /v1.")
          URI url,
      @Option(
              names = "--api-key-header",
              defaultValue = HttpEventLogClientBuilder.DEFAULT_API_KEY_HEADER,
              description = "The header for the API key; ${DEFAULT-VALUE} unless given.")
          String apiKeyHeader,
      @Option(
              names = "--batch-size",
              defaultValue = "" + 10 * AsyncEventLoggerBuilder.DEFAULT_BATCH_SIZE,
              description = "Events per request; ${DEFAULT-VALUE} unless given.")
          int batchSize,
      @Option(
              names = "--rate",
              defaultValue = "" + AsyncEventLoggerBuilder.DEFAULT_MAX_REPLAY_EVENTS_PER_SECOND,
              description = "Events a second at most; ${DEFAULT-VALUE} unless given.")
          int rate,
      @Option(
              names = "--max-retries",
              defaultValue = "5",
              description =
                  "How often to try again while nothing moves, after 1 s, 2 s, 4 s, …;"
                      + " ${DEFAULT-VALUE} unless given.")
          int maxRetries,
      @Option(
              names = "--redact",
              split = ",",
              paramLabel = "FIELD",
              description = "Fields to mask in payloads, metadata and identifiers.")
          List<String> redacted)
      throws IOException, InterruptedException {
    Replay.Order order =
        new Replay.Order(
            url,
            apiKeyHeader,
            batchSize,
            rate,
            maxRetries,
            redacted == null ? List.of() : redacted);
    return new Replay(order, terminal).of(existing(directory)).code();
  }

  @Command(
      description = {
        "Brings lines of the quarantine back into the spillover file, from where they are sent: by"
            + " the next process that uses the directory, or by replay.",
        "Lines that are no events stay where they are."
      },
      mixinStandardHelpOptions = true)
  int requeue(
      @Parameters(paramLabel = "DIR", description = "The spillover directory.") Path directory,
      @Option(
              names = "--reason",
              split = ",",
              paramLabel = "REASON",
              description = "Only lines with these reasons, as inspect shows them.")
          List<String> reasons)
      throws IOException {
    return new Requeue(reasons == null ? List.of() : reasons, terminal)
        .of(existing(directory))
        .code();
  }

  private static Path existing(Path directory) {
    if (!Files.isDirectory(directory)) {
      throw new ToolException(
          Exit.USAGE, directory + " must be a spillover directory but is none; check the path");
    }
    return directory;
  }
}
