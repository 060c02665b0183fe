package eventlog.tool;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.AsyncEventLogger;
import eventlog.EventLogEntryBuilder;
import eventlog.Events;
import eventlog.spi.Answer;
import eventlog.testkit.EventLogServer;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.process.ChildJvm;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A directory, a server among the examples to send to, and the tool in a process of its own. */
@Timeout(120)
abstract class ToolFixture {
  static final String ACTIVE = "eventlog-spillover.jsonl";
  static final String REPLAY = "eventlog-spillover.replay.jsonl";
  static final String PROGRESS = "eventlog-spillover.replay.progress";
  static final String QUARANTINE = "eventlog-spillover.quarantine.jsonl";
  static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path directory;

  final EventLogServer server = EventLogServer.start();
  private final CapturedLog log = new CapturedLog("eventlog");

  @AfterEach
  void stop() {
    server.close();
    log.close();
  }

  /** What a run of the tool came to. */
  record Run(int exit, String out, String err) {

    /**
     * It did what it should and said this; on the side it may say how far it came, if it is slow.
     */
    void assertDone(String report) {
      assertThat(exit).as(err).isZero();
      assertThat(out.strip()).isEqualTo(report);
      assertThat(err).doesNotContain("eventlog:");
    }
  }

  /** Runs the tool as people do: its main method, in a JVM of its own. */
  static Run tool(String... args) throws InterruptedException {
    try (ChildJvm child = start(args)) {
      int exit = child.awaitExit(PATIENCE);
      return new Run(exit, String.join("\n", child.lines()), child.errors());
    }
  }

  static ChildJvm start(String... args) {
    return ChildJvm.of(EventLogTool.class, args).start();
  }

  /** Runs the tool in this JVM, where a process of its own would show nothing more. */
  static Run here(Map<String, String> environment, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Terminal terminal =
        new Terminal(new PrintWriter(out, true), new PrintWriter(err, true), environment);
    int exit = EventLogTool.run(terminal, args);
    return new Run(exit, out.toString(), err.toString());
  }

  static Run here(String... args) {
    return here(Map.of(), args);
  }

  Run replay(String... more) throws InterruptedException {
    return tool(replayArgs(more));
  }

  String[] replayArgs(String... more) {
    List<String> args =
        new ArrayList<>(List.of("replay", directory.toString(), "--url", server.uri().toString()));
    args.addAll(List.of(more));
    return args.toArray(String[]::new);
  }

  /** A logger whose API is away, so that everything goes to disk. */
  AsyncEventLogger spilling(Path path) {
    return AsyncEventLogger.builder()
        .client(events -> Answer.broken("away"))
        .spilloverPath(path)
        .registerShutdownHook(false)
        .build();
  }

  /** Leaves events with the keys prefix-0, prefix-1 and so on in the directory. */
  void fill(Path path, String prefix, int count) {
    try (AsyncEventLogger logger = spilling(path)) {
      for (int i = 0; i < count; i++) {
        logger.log(event(prefix + "-" + i).eventTimestamp(FIRST.plusSeconds(i)).build());
      }
      Eventually.await("spilled", () -> logger.metrics().eventsSpilled() == count);
    }
  }

  static EventLogEntryBuilder event(String key) {
    return Events.builder(key).summary(key).requestPayload("{\"password\":\"s3cret\"}");
  }

  String text(String file) {
    try {
      Path path = directory.resolve(file);
      return Files.exists(path) ? Files.readString(path) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean exists(String file) {
    return Files.exists(directory.resolve(file));
  }
}
