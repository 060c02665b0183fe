package eventlog.tool;

import eventlog.EventLogEntry;
import eventlog.HttpEventLogClient;
import eventlog.HttpEventLogClientBuilder;
import eventlog.replay.DirectoryReplay;
import eventlog.send.EventLogLedger;
import eventlog.send.Redactor;
import eventlog.spi.Answer;
import eventlog.spi.EventLogClient;
import eventlog.spi.Redaction;
import eventlog.spill.SpillDirectory;
import holdfast.problems.Problems;
import holdfast.retry.Backoff;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Sends what is in directories. Confined to one thread. */
final class Replay {
  private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
  private static final long BETWEEN_LINES = Duration.ofSeconds(2).toNanos();

  private final Order order;
  private final Terminal terminal;
  private final TimeSource time = TimeSource.system();
  private Answer last = Answer.delivered();
  private long saidAt = time.nanoTime();

  /**
   * What was asked for.
   *
   * @param url where the API is
   * @param apiKeyHeader the header for the API key
   * @param batchSize events per request
   * @param rate events a second at most
   * @param maxRetries how often to try again while nothing moves
   * @param redacted names of fields to mask
   */
  record Order(
      URI url,
      String apiKeyHeader,
      int batchSize,
      int rate,
      int maxRetries,
      List<String> redacted) {
    Order {
      new Problems("replay")
          .require(batchSize >= 1, "--batch-size", "be 1 or more", batchSize)
          .require(rate >= 1, "--rate", "be 1 or more", rate)
          .require(maxRetries >= 0, "--max-retries", "be 0 or more", maxRetries)
          .throwIfAny();
      redacted = List.copyOf(redacted);
    }
  }

  Replay(Order order, Terminal terminal) {
    this.order = order;
    this.terminal = terminal;
  }

  Exit of(Path root) throws IOException, InterruptedException {
    EventLogClient client = client();
    Redactor redactor =
        order.redacted().isEmpty()
            ? Redactor.none()
            : new Redactor(Redaction.ofFields(order.redacted()));
    EventLogLedger ledger = new EventLogLedger(null, () -> 0, redactor);
    try (LockedDirectories locked = LockedDirectories.of(root, ledger, time)) {
      long left = left(locked);
      long before = setAside(locked);
      DirectoryReplay replay =
          new DirectoryReplay(events -> send(client, events, ledger), ledger, settings(), time);
      for (SpillDirectory directory : locked.all()) {
        if (!replay.run(directory, () -> last.kind() == Answer.Kind.BROKEN)) {
          break;
        }
      }
      return report(ledger, left, left(locked), setAside(locked) - before);
    }
  }

  private DirectoryReplay.Settings settings() {
    return new DirectoryReplay.Settings(
        order.batchSize(),
        order.rate(),
        order.maxRetries(),
        Backoff.exponential(FIRST_WAIT, LONGEST_WAIT));
  }

  private EventLogClient client() {
    Map<String, String> environment = terminal.environment();
    HttpEventLogClientBuilder builder =
        HttpEventLogClient.builder(order.url())
            .apiKeyHeader(order.apiKeyHeader())
            .allowClearText("true".equals(environment.get("EVENTLOG_ALLOW_CLEAR_TEXT")));
    // Not as options: everybody on the machine can see those.
    String key = environment.get("EVENTLOG_API_KEY");
    if (key != null) {
      builder.apiKey(key);
    }
    String token = environment.get("EVENTLOG_BEARER_TOKEN");
    if (token != null) {
      builder.bearerToken(() -> token);
    }
    return builder.build();
  }

  /** Sends, remembers the answer for the report, and says every now and then how far it came. */
  private Answer send(EventLogClient client, List<EventLogEntry> events, EventLogLedger ledger)
      throws Exception {
    long now = time.nanoTime();
    if (now - saidAt >= BETWEEN_LINES) {
      saidAt = now;
      terminal.err().println("sent " + ledger.replayedCount());
    }
    try {
      last = client.send(events);
      return last;
    } catch (IOException e) {
      last = Answer.later(e.toString(), null);
      throw e;
    }
  }

  private static long left(LockedDirectories locked) {
    return locked.all().stream().mapToLong(SpillDirectory::unanswered).sum();
  }

  private static long setAside(LockedDirectories locked) {
    return locked.all().stream().mapToLong(SpillDirectory::quarantined).sum();
  }

  private Exit report(EventLogLedger ledger, long found, long left, long aside) {
    terminal
        .out()
        .println(
            "found "
                + found
                + ", sent "
                + ledger.replayedCount()
                + ", set aside "
                + aside
                + ", left "
                + left);
    if (left > 0) {
      terminal
          .err()
          .println("eventlog: " + order.url() + " takes no more events: " + last.problem());
    }
    if (aside > 0) {
      terminal.err().println("eventlog: see what was set aside, and why, with: eventlog inspect");
    }
    return left == 0 && aside == 0 ? Exit.DONE : Exit.NOT_ALL;
  }
}
