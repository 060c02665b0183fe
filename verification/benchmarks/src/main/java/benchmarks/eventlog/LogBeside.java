package benchmarks.eventlog;

import benchmarks.TemporaryDirectory;
import eventlog.EventLogEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * How long a single call takes at worst: of log() while the API hangs and the disk is frozen, and
 * of asynchronous loggers of others that write to a file on a healthy disk. For one thread, in
 * turns.
 */
final class LogBeside {
  private static final Duration WARM_UP = Duration.ofSeconds(3);

  /** A logger that is measured. */
  interface Contender extends AutoCloseable {
    /** Logs something; false if it was lost at once. */
    boolean log();

    /** What became of it all. */
    String remark();

    @Override
    void close();
  }

  /** Opens a contender with a directory of its own. */
  private interface Opening {
    Contender open(Path directory) throws IOException;
  }

  private final Duration length;
  private final int rounds;

  LogBeside(Duration length, int rounds) {
    this.length = length;
    this.rounds = rounds;
  }

  private Map<String, Opening> field() {
    int all = Math.toIntExact(WARM_UP.plus(length).toSeconds() * 20_000);
    Map<String, Opening> field = new LinkedHashMap<>();
    field.put("nothing", directory -> new Nothing());
    field.put(
        "log(), API hangs, disk frozen, all held in memory",
        directory -> new StuckEventLog(directory, all, made()));
    field.put(
        "log(), API hangs, disk frozen, memory full",
        directory -> new StuckEventLog(directory, 10_000, made()));
    field.put(
        "building an event and log(), API hangs, disk frozen, all held in memory",
        directory -> new StuckEventLog(directory, all, () -> Samples.event(1)));
    field.put("Logback with EventLogAppender, API hangs", LogbackLoggers::eventLog);
    field.put("Logback AsyncAppender, file, healthy disk", LogbackLoggers::asyncFile);
    field.put("Log4j 2 async logger, file, healthy disk", Log4jFile::new);
    return field;
  }

  private static Supplier<EventLogEntry> made() {
    EventLogEntry event = Samples.event(1);
    return () -> event;
  }

  /** A table with a row for each contender. */
  String run() throws IOException {
    Map<String, CallTimes> times = new LinkedHashMap<>();
    Map<String, String> remarks = new LinkedHashMap<>();
    List<Map.Entry<String, Opening>> field = new ArrayList<>(field().entrySet());
    field.forEach(entry -> times.put(entry.getKey(), CallTimes.none()));
    for (int round = 0; round < rounds; round++) {
      for (Map.Entry<String, Opening> next : field) {
        try (TemporaryDirectory directory = TemporaryDirectory.temporary();
            Contender contender = next.getValue().open(directory.path())) {
          CallTimes.of(contender::log, WARM_UP);
          times.merge(next.getKey(), CallTimes.of(contender::log, length), CallTimes::and);
          remarks.put(next.getKey(), contender.remark());
        }
      }
      Collections.rotate(field, 1);
    }
    return table(times, remarks);
  }

  private static String table(Map<String, CallTimes> times, Map<String, String> remarks) {
    StringBuilder table =
        new StringBuilder(
            """
            | logger | p50 µs | p99 µs | p99.9 µs | p99.99 µs | most µs | calls | lost at once | last round |
            | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
            """);
    times.forEach(
        (name, each) ->
            table.append(
                "| %s | %.2f | %.2f | %.2f | %.2f | %.0f | %,d | %,d | %s |%n"
                    .formatted(
                        name,
                        each.part(0.5),
                        each.part(0.99),
                        each.part(0.999),
                        each.part(0.9999),
                        each.part(1),
                        each.count(),
                        each.refused(),
                        remarks.get(name))));
    return table.toString();
  }

  /** The loop around nothing: what the machine itself adds. */
  private static final class Nothing implements Contender {
    @Override
    public boolean log() {
      return true;
    }

    @Override
    public String remark() {
      return "";
    }

    @Override
    public void close() {}
  }
}
