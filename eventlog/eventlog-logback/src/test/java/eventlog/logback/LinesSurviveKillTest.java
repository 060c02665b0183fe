package eventlog.logback;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.process.ChildJvm;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Scanner;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application logs through Logback while the API is down and is killed, is started again when
 * the API is up and is killed while it sends, and is started a third time: every line that was on
 * disk arrives, and a kill repeats one batch at most.
 */
class LinesSurviveKillTest {
  private static final int BATCH = 500;
  private static final URI NOBODY = URI.create("http://localhost:1");

  @TempDir Path directory;
  @TempDir Path configuration;

  private ChildJvm start(int lines, URI api) throws IOException {
    Path file = configuration.resolve("logback.xml");
    Files.writeString(
        file,
        """
        <configuration>
          <appender name="EVENTLOG" class="eventlog.logback.EventLogAppender">
            <baseUri>%s</baseUri>
            <applicationId>shop</applicationId>
            <spilloverPath>%s</spilloverPath>
            <maxSpilloverEvents>2000000</maxSpilloverEvents>
            <maxSpilloverSizeBytes>4 GiB</maxSpilloverSizeBytes>
            <replayBatchSize>%d</replayBatchSize>
            <requestTimeout>60 s</requestTimeout>
            <maxRetries>0</maxRetries>
            <circuitBreakerThreshold>1</circuitBreakerThreshold>
            <replayInterval>100 ms</replayInterval>
            <maxReplayEventsPerSecond>1000000</maxReplayEventsPerSecond>
          </appender>
          <root level="INFO"><appender-ref ref="EVENTLOG"/></root>
        </configuration>
        """
            .formatted(api, directory, BATCH));
    return ChildJvm.of(LoggingApp.class, String.valueOf(lines))
        .jvmOptions("-Xmx256m", "-Dlogback.configurationFile=" + file)
        .start();
  }

  private void play(int lines, int onDiskAtLeast, Duration patience) throws Exception {
    try (CountingApi api = new CountingApi()) {
      logAndKill(lines, onDiskAtLeast, patience);
      BitSet onDisk = onDisk();
      assertThat(onDisk.cardinality()).isGreaterThanOrEqualTo(onDiskAtLeast);

      api.isSilentFrom(onDiskAtLeast / 4);
      try (ChildJvm sending = start(0, api.uri())) {
        Eventually.await("a part has arrived", patience, () -> api.count() >= onDiskAtLeast / 4);
        sending.kill();
      }
      api.isSilentFrom(Integer.MAX_VALUE);
      String ledger = sendTheRest(api, patience);

      BitSet missing = (BitSet) onDisk.clone();
      missing.andNot(api.arrived());
      BitSet invented = api.arrived();
      invented.andNot(onDisk);
      assertThat(missing.cardinality()).as("on disk, and never delivered").isZero();
      assertThat(invented.cardinality()).as("delivered, and not on disk").isZero();
      assertThat(api.repeats()).as("repeats of the kill while sending").isLessThanOrEqualTo(BATCH);
      assertThat(ledger).contains("unaccounted=0").contains("lost=0");
      System.out.printf(
          "Logback, kill -9: %,d lines to log, %,d on disk at the first kill, %,d delivered,"
              + " %,d repeated by the second, %s%n",
          lines, onDisk.cardinality(), api.count(), api.repeats(), ledger);
    }
  }

  private void logAndKill(int lines, int onDiskAtLeast, Duration patience) throws Exception {
    try (ChildJvm logging = start(lines, NOBODY)) {
      logging.awaitLine(
          line ->
              line.startsWith(LoggingApp.ON_DISK)
                  && Integer.parseInt(line.substring(LoggingApp.ON_DISK.length())) >= onDiskAtLeast,
          patience);
      assertThat(logging.kill()).isEqualTo(137);
    }
  }

  private String sendTheRest(CountingApi api, Duration patience) throws Exception {
    try (ChildJvm sending = start(0, api.uri())) {
      assertThat(sending.awaitExit(patience)).as(sending.errors()).isZero();
      List<String> said = sending.lines();
      return said.get(said.size() - 1);
    }
  }

  /** The numbers of the complete lines in the spillover files. */
  private BitSet onDisk() throws IOException {
    BitSet numbers = new BitSet();
    for (String name : List.of("eventlog-spillover.jsonl", "eventlog-spillover.replay.jsonl")) {
      Path file = directory.resolve(name);
      if (Files.exists(file)) {
        try (Scanner lines = new Scanner(file).useDelimiter("(?<=\n)")) {
          lines
              .tokens()
              .filter(line -> line.endsWith("\n"))
              .forEach(line -> addNumber(line, numbers));
        }
      }
    }
    return numbers;
  }

  private static void addNumber(String line, BitSet numbers) {
    Matcher number = CountingApi.NUMBER.matcher(line);
    assertThat(number.find()).as(line).isTrue();
    numbers.set(Integer.parseInt(number.group(1)));
  }

  @Test
  void everyLineOnDiskArrives() throws Exception {
    play(20_000, 10_000, Duration.ofSeconds(60));
  }

  @Test
  @Tag("long")
  void everyLineOfAMillionThatWasOnDiskArrives() throws Exception {
    play(1_000_000, 950_000, Duration.ofMinutes(20));
  }
}
