package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.Answer;
import holdfast.testkit.disk.SmallDisk;
import holdfast.testkit.files.FaultyFiles;
import holdfast.testkit.files.FileOperation;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A disk that is full, read-only, gone, or full of somebody else's files. */
class DiskTest extends LoggerFixture {

  private AsyncEventLogger down(Path path, int queue) {
    api.isDown();
    AsyncEventLogger logger =
        logger(
            b ->
                b.spilloverPath(path)
                    .queueCapacity(queue)
                    .circuitBreakerThreshold(1)
                    .maxRetries(0)
                    .replayIntervalMs(3_600_000)
                    .circuitBreakerReset(Duration.ofDays(1)));
    logger.log(Events.event("first"));
    Eventually.await("open", () -> logger.metrics().circuitBreakerOpen());
    return logger;
  }

  @Test
  void aFullDiskLosesNothingWhileThereIsRoomInMemoryAndWritingResumes() {
    try (SmallDisk disk = SmallDisk.of(200_000)) {
      AsyncEventLogger logger = down(disk.path(), 200);
      Eventually.await("spilled", () -> logger.metrics().eventsSpilled() == 1);
      disk.fill();
      logger.log(Events.events("e", 150));
      Eventually.await("failing", () -> logger.ledger().heldByPlace().get("spilling") > 0);
      assertThat(losses.told()).isEmpty();

      disk.free();
      passUntil("written", () -> logger.metrics().eventsSpilled() == 151);
      settle(logger);

      assertThat(losses.told()).isEmpty();
      logger.close();
    }
  }

  @Test
  void whatFindsNoRoomInMemoryIsCountedExactly() {
    try (SmallDisk disk = SmallDisk.of(100_000)) {
      AsyncEventLogger logger = down(disk.path(), 20);
      Eventually.await("spilled", () -> logger.metrics().eventsSpilled() == 1);
      disk.fill();
      int refused = 0;
      for (EventLogEntry event : Events.events("e", 500)) {
        refused += logger.log(event) ? 0 : 1;
      }
      disk.free();
      passUntil(
          "at rest",
          () -> logger.metrics().eventsSpilled() + logger.metrics().eventsFailed() == 501);

      Eventually.await("told", () -> losses.told().size() == logger.metrics().eventsFailed());
      assertThat(refused).isPositive().isLessThanOrEqualTo(losses.told().size());
      assertThat(losses.told())
          .allMatch(
              told ->
                  told.endsWith(" spillover_io_error") || told.endsWith(" spillover_queue_full"));
      assertBalanced(logger);
      logger.close();
    }
  }

  @Test
  void aDirectoryThatIsTakenAwayIsMadeAgainAndItsLossCounted() throws IOException {
    Path gone = directory.resolve("gone");
    AsyncEventLogger logger = down(gone, 100);
    Eventually.await("spilled", () -> logger.metrics().eventsSpilled() == 1);
    delete(gone);

    logger.log(Events.event("second"));
    Eventually.await("written", () -> Files.exists(gone.resolve(ACTIVE)));
    settle(logger);

    assertThat(Files.readString(gone.resolve(ACTIVE))).contains("second").doesNotContain("first");
    assertThat(logger.ledger().lostByReason()).containsEntry("spillover_io_error", 1L);
    assertBalanced(logger);
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  @Test
  void aDirectoryThatCannotBeHadAtTheStartIsUsedLater() {
    FaultyFiles files = FaultyFiles.over(directory);
    files.failWhen(op -> true, () -> new IOException("read-only file system"));
    AsyncEventLogger logger = down(files.root(), 100);
    Eventually.await(
        "waits for the disk", () -> logger.ledger().heldByPlace().get("spilling") == 1);

    files.mend();
    passUntil("written", () -> logger.metrics().eventsSpilled() == 1);
    settle(logger);

    assertThat(lines(ACTIVE)).hasSize(1);
  }

  @Test
  void aDirectoryThatCannotBeMadeIsOneWarning() throws InterruptedException {
    FaultyFiles files = FaultyFiles.over(directory);
    files.failWhen(op -> true, () -> new IOException("read-only file system"));

    down(files.root().resolve("spillover"), 100);
    pass(Duration.ofSeconds(30), 4);

    assertThat(log.lines())
        .filteredOn(line -> line.contains("disk fails") || line.contains("replay"))
        .singleElement()
        .asString()
        .contains("it cannot write to its spill directory");
  }

  @Test
  void aTornWriteIsCutOffBeforeTheNextOne() {
    FaultyFiles files = FaultyFiles.over(directory);
    AsyncEventLogger logger = down(files.root(), 100);
    Eventually.await("spilled", () -> logger.metrics().eventsSpilled() == 1);
    settle(logger);
    files.shortWriteAt(files.operations().size() + 1, 50);

    logger.log(Events.event("second"));
    passUntil("written", () -> logger.metrics().eventsSpilled() == 2);

    assertThat(lines(ACTIVE)).hasSize(2).allMatch(line -> line.endsWith("\"}"));
  }

  @Test
  void whatIsForcedWithinTheIntervalIsForced() throws InterruptedException {
    FaultyFiles files = FaultyFiles.over(directory);
    AsyncEventLogger logger = down(files.root(), 100);
    settle(logger);
    assertThat(forces(files)).isZero();

    passUntil("forced", () -> forces(files) == 1);
    pass(Duration.ofSeconds(3), 4);

    assertThat(forces(files)).isEqualTo(1);
  }

  @Test
  void whatIsSetAsideBeforeTheDiskFailsIsNotSetAsideAgain() throws InterruptedException {
    FaultyFiles files = FaultyFiles.over(directory);
    api.isDown();
    AsyncEventLogger logger =
        logger(
            b ->
                b.spilloverPath(files.root())
                    .circuitBreakerThreshold(1)
                    .circuitBreakerReset(Duration.ofSeconds(1))
                    .maxRetries(0)
                    .replayIntervalMs(100));
    logger.log(Events.events("e", 6));
    settle(logger);
    AtomicInteger writes = new AtomicInteger();
    files.failWhen(
        op ->
            op.path().equals(QUARANTINE)
                && op.operation() == FileOperation.WRITE
                && writes.incrementAndGet() > 1,
        () -> new IOException("No space left on device"));
    api.answers(
        events ->
            Events.keys(events).stream().anyMatch(key -> key.compareTo("e-3") < 0)
                ? Answer.rejected("HTTP 400")
                : Answer.delivered());

    passUntil("tried again and again", () -> writes.get() > 5);
    assertThat(log.messages(Level.WARNING))
        .filteredOn(line -> line.startsWith("eventlog replay"))
        .filteredOn(line -> !line.contains(" still fails")) // one a minute
        .singleElement()
        .asString()
        .contains("free space on its disk: directory=" + files.root(), "error=", "No space left");
    settle(logger);
    assertThat(logger.ledger().heldByPlace()).containsEntry("quarantine", 1L);
    assertThat(logger.ledger().heldByPlace()).containsEntry("disk", 5L);

    files.mend();
    passUntil("done", () -> logger.ledger().heldByPlace().get("disk") == 0);
    settle(logger);
    assertThat(lines(QUARANTINE)).hasSize(3).doesNotHaveDuplicates();
    assertThat(api.stored()).containsExactlyInAnyOrder("e-3", "e-4", "e-5");
    assertThat(logger.ledger().lost()).isZero();
  }

  private static long forces(FaultyFiles files) {
    return files.operations().stream().filter(op -> op.operation() == FileOperation.FORCE).count();
  }

  @Test
  void aTornLastLineIsSetAsideAndTheOthersSurvive() throws IOException {
    AsyncEventLogger before = down(directory, 100);
    before.log(Events.events("e", 3));
    before.shutdown();
    String content = Files.readString(directory.resolve(ACTIVE));
    Files.writeString(directory.resolve(ACTIVE), content.substring(0, content.length() - 20));
    api.isUp();

    AsyncEventLogger logger = spilling(b -> b.replayIntervalMs(100));
    assertThat(lines(ACTIVE)).hasSize(3);
    assertThat(lines(QUARANTINE))
        .singleElement()
        .asString()
        .startsWith("{\"reason\":\"torn_line\"")
        .contains("e-2");
    assertThat(logger.ledger().recoveredAtStartup()).isEqualTo(4);
    passUntil("replayed", () -> logger.metrics().eventsReplayed() == 3);
    settle(logger);
    assertThat(api.stored()).containsExactly("first", "e-0", "e-1");
  }

  @Test
  void onlyAMissingLineFeedIsAdded() throws IOException {
    AsyncEventLogger before = down(directory, 100);
    before.shutdown();
    String content = Files.readString(directory.resolve(ACTIVE));
    Files.writeString(directory.resolve(ACTIVE), content.stripTrailing());

    AsyncEventLogger logger = spilling(b -> {});

    assertThat(Files.readString(directory.resolve(ACTIVE))).isEqualTo(content);
    assertThat(logger.ledger().recoveredAtStartup()).isEqualTo(1);
    assertThat(lines(QUARANTINE)).isEmpty();
  }

  @Test
  void badLinesAreSetAsideAndThoseAroundThemAreSent() throws IOException {
    AsyncEventLogger before = down(directory, 100);
    before.log(Events.events("e", 3));
    before.shutdown();
    List<String> good = lines(ACTIVE);
    String wrong = good.get(2).replace("Stock", "Stick");
    String foreign = good.get(3).replaceAll("\"seq\":\\d+,", "").replaceAll(",\"crc32c.*", "}");
    byte[] garbage = {(byte) 0xff, (byte) 0xfe, '\n'};
    Path file = directory.resolve(ACTIVE);
    Files.writeString(
        file, good.get(0) + "\n" + wrong + "\n\nnot json\n{\"seq\":9}\n" + foreign + "\n");
    Files.write(file, garbage, java.nio.file.StandardOpenOption.APPEND);
    Files.writeString(directory.resolve("unrelated.txt"), "leave me alone");
    api.isUp();

    AsyncEventLogger logger = spilling(b -> b.replayIntervalMs(100));
    passUntil("done", () -> lines(QUARANTINE).size() == 5);
    settle(logger);

    assertThat(api.stored()).containsExactly("first", "e-2");
    assertThat(String.join("\n", lines(QUARANTINE)))
        .contains("the checksum does not match", "Stick", "not json", "\"lineBase64\":\"//4=\"");
    assertThat(logger.ledger().recoveredAtStartup()).isEqualTo(7);
    assertThat(logger.ledger().lost()).isZero();
    assertThat(directory.resolve("unrelated.txt")).hasContent("leave me alone");
  }

  @Test
  void aLineLongerThanAnyEventIsSetAsideByItsBeginning() throws IOException {
    AsyncEventLogger before = down(directory, 100);
    before.shutdown();
    String good = lines(ACTIVE).get(0);
    Files.writeString(
        directory.resolve(ACTIVE),
        "x".repeat(300_000) + "\n" + good + "\n",
        StandardCharsets.UTF_8);
    api.isUp();

    AsyncEventLogger logger = spilling(b -> b.replayIntervalMs(100).maxEntryBytes(2000));
    passUntil("done", () -> logger.metrics().eventsReplayed() == 1);

    assertThat(lines(QUARANTINE)).singleElement().asString().hasSizeBetween(2000, 3000);
    assertThat(api.stored()).containsExactly("first");
  }
}
