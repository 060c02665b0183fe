package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A smaller {@code maxEntryBytes} after a restart: what is whole on disk stays whole. */
class SmallerLimitTest extends LoggerFixture {
  private static final String PAYLOAD = "x".repeat(300_000);

  private void leaveOnDisk() {
    api.isDown();
    AsyncEventLogger before = spilling(b -> b.maxRetries(0));
    before.log(List.of(Events.event("small"), large("large"), Events.event("other")));
    settle(before);
    before.shutdown();
    assertThat(lines(ACTIVE)).hasSize(3);
  }

  private static EventLogEntry large(String key) {
    return Events.builder(key).requestPayload(PAYLOAD).build();
  }

  private AsyncEventLogger restarted() {
    return spilling(b -> b.replayIntervalMs(100).maxEntryBytes(2000));
  }

  @Test
  void largerEventsOnDiskAreSent() {
    leaveOnDisk();
    api.isUp();

    AsyncEventLogger logger = restarted();
    passUntil("replayed", () -> logger.metrics().eventsReplayed() == 3);

    assertThat(api.stored()).containsExactly("small", "large", "other");
    assertThat(lines(QUARANTINE)).isEmpty();
  }

  @Test
  void aLargerEventWhoseLineFeedIsMissingIsSent() throws IOException {
    leaveOnDisk();
    byte[] bytes = Files.readAllBytes(directory.resolve(ACTIVE));
    String lines = new String(bytes, StandardCharsets.UTF_8);
    String two = lines.substring(0, lines.indexOf("{\"seq\":3,") - 1);
    Files.writeString(directory.resolve(ACTIVE), two, StandardOpenOption.TRUNCATE_EXISTING);
    api.isUp();

    AsyncEventLogger logger = restarted();
    passUntil("replayed", () -> logger.metrics().eventsReplayed() == 2);

    assertThat(api.stored()).containsExactly("small", "large");
    assertThat(lines(QUARANTINE)).isEmpty();
  }

  @Test
  void largerEventsThatTheApiRefusesAreSetAsideWhole() {
    leaveOnDisk();
    api.answers(
        events ->
            Events.keys(events).contains("large")
                ? Answer.rejected("HTTP 413")
                : Answer.delivered());

    AsyncEventLogger logger = restarted();
    passUntil("set aside", () -> logger.ledger().heldByPlace().get("quarantine") == 1);

    assertThat(lines(QUARANTINE))
        .singleElement()
        .asString()
        .contains(PAYLOAD)
        .contains("\"large\"");
    passUntil("replayed", () -> logger.metrics().eventsReplayed() == 2);
    assertThat(logger.ledger().lost()).isZero();
  }

  @Test
  void aDamagedLineThatIsLongerThanAnyEventIsSetAsideByItsBeginning() throws IOException {
    leaveOnDisk();
    byte[] bytes = Files.readAllBytes(directory.resolve(ACTIVE));
    bytes[bytes.length / 2] = 'y';
    Files.write(directory.resolve(ACTIVE), bytes);
    api.isUp();

    AsyncEventLogger logger = restarted();
    passUntil("replayed", () -> logger.metrics().eventsReplayed() == 2);

    assertThat(lines(QUARANTINE)).singleElement().asString().hasSizeBetween(2000, 3500);
  }
}
