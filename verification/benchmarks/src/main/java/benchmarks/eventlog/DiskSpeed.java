package benchmarks.eventlog;

import benchmarks.TemporaryDirectory;
import com.fasterxml.jackson.annotation.JsonInclude;
import eventlog.AsyncEventLogger;
import eventlog.EventLogEntry;
import eventlog.spi.Answer;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SequenceWriter;
import tools.jackson.databind.json.JsonMapper;

/**
 * How fast events reach the disk and come back, through the door of the logger: with its queues,
 * numbers, checksums, ledger and progress, beside Jackson without any of that. For one thread.
 */
final class DiskSpeed {
  private static final String WRITTEN = "spilled by the event log";
  private static final String WRITTEN_BY_JACKSON = "ObjectWriter into a BufferedWriter";
  private static final String APPENDED = "open, append, close for each event";
  private static final String READ = "replayed by the event log";
  private static final String READ_BY_JACKSON = "MappingIterator";
  private static final int APPENDED_EVENTS = 20_000;

  private final List<EventLogEntry> events;
  private final int rounds;
  private final JsonMapper json =
      JsonMapper.builder()
          .changeDefaultPropertyInclusion(
              all -> all.withValueInclusion(JsonInclude.Include.NON_NULL))
          .build();
  private final Map<String, List<Double>> speeds = new LinkedHashMap<>();

  DiskSpeed(int events, int rounds) {
    this.events = Samples.events(events);
    this.rounds = rounds;
  }

  /** The tables; round zero is for warming up and does not count. */
  String run() throws IOException, InterruptedException {
    for (int round = 0; round <= rounds; round++) {
      if (round == 1) {
        speeds.clear();
      }
      try (TemporaryDirectory directory = TemporaryDirectory.temporary()) {
        Path file = directory.path().resolve("jackson.jsonl");
        note(WRITTEN_BY_JACKSON, events.size(), writeByJackson(file));
        note(READ_BY_JACKSON, events.size(), readByJackson(file));
        note(APPENDED, APPENDED_EVENTS, append(directory.path().resolve("appended.jsonl")));
        spillAndReplay(directory.path().resolve("spill"));
      }
      System.err.println("round " + round + ": " + speeds);
    }
    return table(WRITTEN_BY_JACKSON, WRITTEN, APPENDED) + table(READ_BY_JACKSON, READ);
  }

  private void note(String what, int count, long nanos) {
    speeds.computeIfAbsent(what, w -> new ArrayList<>()).add(count * 1e9 / nanos);
  }

  private long writeByJackson(Path file) throws IOException {
    ObjectWriter writer = json.writer().withRootValueSeparator("\n");
    long startedAt = System.nanoTime();
    try (BufferedWriter out = Files.newBufferedWriter(file);
        SequenceWriter lines = writer.writeValues(out)) {
      for (EventLogEntry event : events) {
        lines.write(event);
      }
    }
    return System.nanoTime() - startedAt;
  }

  private long readByJackson(Path file) {
    long startedAt = System.nanoTime();
    int count = 0;
    try (MappingIterator<EventLogEntry> lines =
        json.readerFor(EventLogEntry.class).readValues(file)) {
      for (; lines.hasNext(); lines.next()) {
        count++;
      }
    }
    requireAll(count);
    return System.nanoTime() - startedAt;
  }

  private long append(Path file) throws IOException {
    ObjectWriter writer = json.writer();
    long startedAt = System.nanoTime();
    for (EventLogEntry event : events.subList(0, APPENDED_EVENTS)) {
      Files.writeString(
          file,
          writer.writeValueAsString(event) + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
    return System.nanoTime() - startedAt;
  }

  private void spillAndReplay(Path directory) throws InterruptedException {
    note(WRITTEN, events.size(), spill(directory));
    note(READ, events.size(), replay(directory));
  }

  /** The API is broken from the first event on, so all of them go to disk. */
  private long spill(Path directory) throws InterruptedException {
    try (AsyncEventLogger logger =
        Samples.logger(batch -> Answer.broken("401"), directory, events.size() + 1)
            .circuitBreakerReset(Duration.ofHours(1))
            .replayIntervalMs(TimeUnit.HOURS.toMillis(1))
            .build()) {
      logger.log(Samples.event(-1));
      awaitSpilled(logger, 1);
      long startedAt = System.nanoTime();
      events.forEach(logger::log);
      awaitSpilled(logger, events.size() + 1L);
      return System.nanoTime() - startedAt;
    }
  }

  private static void awaitSpilled(AsyncEventLogger logger, long count)
      throws InterruptedException {
    while (logger.metrics().eventsSpilled() < count) {
      TimeUnit.MICROSECONDS.sleep(100);
    }
  }

  /** From the first event that comes back to the last. */
  private long replay(Path directory) throws InterruptedException {
    long[] startedAt = {0};
    CountDownLatch missing = new CountDownLatch(events.size() + 1);
    try (AsyncEventLogger logger =
        Samples.logger(
                batch -> {
                  startedAt[0] = startedAt[0] == 0 ? System.nanoTime() : startedAt[0];
                  batch.forEach(event -> missing.countDown());
                  return Answer.delivered();
                },
                directory,
                1000)
            .replayIntervalMs(10)
            .batchSize(500)
            .build()) {
      missing.await();
      long took = System.nanoTime() - startedAt[0];
      requireAll((int) logger.ledger().recoveredAtStartup() - 1);
      return took;
    }
  }

  private void requireAll(int count) {
    if (count != events.size()) {
      throw new IllegalStateException(
          "all %d events must be read but %d were".formatted(events.size(), count));
    }
  }

  private String table(String reference, String... others) {
    StringBuilder table = new StringBuilder();
    table.append(
        "| what | of the reference, median | min–max | events/s, by round |%n".formatted());
    table.append("| --- | ---: | ---: | --- |%n".formatted());
    row(table, reference, reference);
    for (String other : others) {
      row(table, other, reference);
    }
    return table.append(System.lineSeparator()).toString();
  }

  private void row(StringBuilder table, String what, String reference) {
    List<Double> mine = speeds.getOrDefault(what, List.of());
    List<Double> theirs = speeds.getOrDefault(reference, List.of());
    double[] ratios = new double[mine.size()];
    Arrays.setAll(ratios, i -> mine.get(i) / theirs.get(i));
    Arrays.sort(ratios);
    table.append(
        "| %s | %.2f | %.2f–%.2f | %s |%n"
            .formatted(
                what,
                ratios[ratios.length / 2],
                ratios[0],
                ratios[ratios.length - 1],
                mine.stream().map("%,.0f"::formatted).toList()));
  }
}
