package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.Answer;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Only the owner may read what is spilled, and nothing is written through a symbolic link. */
class PrivateSpillTest extends LoggerFixture {

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void directoryAndFilesAreTheOwnersAlone() throws IOException {
    api.answers(events -> Answer.later("down", null));
    Path spill = directory.resolve("made/by/logger");
    AsyncEventLogger logger =
        logger(b -> b.spilloverPath(spill).maxRetries(0).replayIntervalMs(1000));
    AsyncEventLogger second = logger(b -> b.spilloverPath(spill));
    logger.log(Events.event("a"));
    settle(logger);
    api.answers(
        events ->
            Events.keys(events).contains("bad")
                ? Answer.rejected("HTTP 400")
                : Answer.later("down", null));
    passUntil("rotated", () -> Files.exists(spill.resolve(REPLAY)));
    logger.log(List.of(Events.event("bad")));
    Eventually.await("set aside", () -> Files.exists(spill.resolve(QUARANTINE)));
    second.close();
    logger.close();

    try (Stream<Path> made = Files.walk(directory.resolve("made"))) {
      for (Path path : made.toList()) {
        assertThat(permissions(path))
            .as(path.toString())
            .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"eventlog-spillover.lock", ACTIVE, REPLAY, QUARANTINE})
  void aSymbolicLinkIsNotFollowed(String name) throws IOException {
    Path target = Files.writeString(directory.resolve("precious"), "do not touch\n");
    Path spill = Files.createDirectory(directory.resolve("spill"));
    Files.createSymbolicLink(spill.resolve(name), target);
    api.answers(
        events ->
            Events.keys(events).contains("bad")
                ? Answer.rejected("HTTP 400")
                : Answer.later("down", null));

    AsyncEventLogger logger =
        logger(b -> b.spilloverPath(spill).maxRetries(0).replayIntervalMs(1000).batchSize(1));
    logger.log(List.of(Events.event("bad"), Events.event("a")));
    passUntil("said", () -> log.lines().stream().anyMatch(line -> line.contains("disk fails")));
    logger.close();

    assertThat(Files.readString(target)).isEqualTo("do not touch\n");
    assertThat(log.thrown(Level.WARNING))
        .anySatisfy(thrown -> assertThat(thrown).hasMessageContaining("is a symbolic link"));
    assertThat(logger.ledger().isAccountedFor()).isTrue();
  }

  @Test
  void aLinkInThePlaceOfTheProgressIsNotFollowed() throws IOException {
    Path target = Files.writeString(directory.resolve("precious"), "do not touch\n");
    api.isDown();
    AsyncEventLogger logger = spilling(b -> b.maxRetries(0).replayIntervalMs(1000).batchSize(1));
    logger.log(Events.events("e", 2));
    settle(logger);
    passUntil("rotated", () -> Files.exists(directory.resolve(REPLAY)));
    Files.deleteIfExists(directory.resolve("eventlog-spillover.replay.progress"));
    Files.createSymbolicLink(directory.resolve("eventlog-spillover.replay.progress"), target);

    api.isUp();
    passUntil("replayed", () -> logger.metrics().eventsReplayed() == 2);

    assertThat(Files.readString(target)).isEqualTo("do not touch\n");
  }
}
