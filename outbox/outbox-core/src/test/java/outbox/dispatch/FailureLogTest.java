package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.memory.PlainOutbox;
import outbox.model.EventStatus;

/** What a listener threw is in the log, once with its stack trace, and in the table as text. */
class FailureLogTest {

  /** Cannot say what went wrong. */
  private static final class SpeechlessException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final boolean byAnError;

    SpeechlessException(boolean byAnError) {
      this.byAnError = byAnError;
    }

    @Override
    public String getMessage() {
      if (byAnError) {
        throw new AssertionError("no message");
      }
      throw new IllegalStateException("no message");
    }
  }

  @Test
  void theFirstFailureOfATypeIsAWarningWithTheStackTraceAndADeadEventOneLine() {
    IllegalStateException failure = new IllegalStateException("broken");
    try (CapturedLog log = new CapturedLog("outbox").withDetails();
        PlainOutbox node = new PlainOutbox(b -> b.maxAttempts(2))) {
      node.listeners.register(
          "Made",
          e -> {
            throw failure;
          });
      EventEnvelope event = node.publish("Made");
      Eventually.await("retry logged", () -> !log.messages(Level.FINE).isEmpty());
      assertThat(log.messages(Level.FINE))
          .containsExactly(
              "outbox retry eventId="
                  + event.eventId()
                  + " type=Made attempts=1 in=PT0S error=java.lang.IllegalStateException: broken");
      assertThat(log.thrown(Level.FINE)).containsExactly(failure);
      assertThat(log.messages(Level.SEVERE)).isEmpty();
      assertThat(log.messages(Level.WARNING))
          .containsExactly(
              "outbox listener failed type=Made eventId="
                  + event.eventId()
                  + " attempts=1 error=java.lang.IllegalStateException: broken");
      assertThat(log.thrown(Level.WARNING)).containsExactly(failure);

      node.cold(event, 1);
      Eventually.await("dead logged", () -> !log.messages(Level.SEVERE).isEmpty());
      assertThat(log.messages(Level.SEVERE))
          .containsExactly(
              "outbox dead eventId="
                  + event.eventId()
                  + " type=Made attempts=2 error=java.lang.IllegalStateException: broken");
      assertThat(log.thrown(Level.SEVERE)).isEmpty();
      assertThat(log.messages(Level.WARNING)).as("one line a minute").hasSize(1);
      assertThat(node.table.row(event.eventId()).orElseThrow().error())
          .isEqualTo("java.lang.IllegalStateException: broken");
    }
  }

  @Test
  void failuresThatStopWithinTheMinuteAreCountedWithoutAnotherOne() throws Exception {
    SettableTime time = new SettableTime();
    try (CapturedLog log = new CapturedLog("outbox");
        PlainOutbox node = new PlainOutbox(time, b -> b.maxAttempts(1))) {
      node.listeners.register(
          "Made",
          e -> {
            throw new IllegalStateException("broken");
          });
      for (int i = 0; i < 3; i++) {
        node.await(node.publish("Made"), EventStatus.DEAD);
      }
      Eventually.await("dead logged", () -> log.messages(Level.SEVERE).size() == 3);
      assertThat(log.messages(Level.WARNING)).hasSize(1);
      time.awaitSleepers(2); // status writer and watch
      time.advance(Duration.ofMinutes(1));
      Eventually.await("counted", () -> log.messages(Level.WARNING).size() == 2);
      assertThat(log.messages(Level.WARNING).get(1))
          .startsWith("outbox listener still fails type=Made ")
          .contains(" failures=2 total=3 ");
    }
  }

  @Test
  void whatIsGivenUpAtOnceHasItsStackTraceInTheWarning() {
    NonRetryableException failure = new NonRetryableException("never again");
    try (CapturedLog log = new CapturedLog("outbox");
        PlainOutbox node = new PlainOutbox()) {
      node.listeners.register(
          "Made",
          e -> {
            throw failure;
          });
      node.publish("Made");
      Eventually.await("logged", () -> !log.messages(Level.SEVERE).isEmpty());
      assertThat(log.thrown(Level.SEVERE)).isEmpty();
      assertThat(log.thrown(Level.WARNING)).containsExactly(failure);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anExceptionWhoseMessageCannotBeReadIsAFailureLikeAnyOther(boolean byAnError) {
    try (CapturedLog log = new CapturedLog("outbox");
        PlainOutbox node = new PlainOutbox(b -> b.maxAttempts(1))) {
      node.listeners.register(
          "Made",
          e -> {
            throw new SpeechlessException(byAnError);
          });
      EventEnvelope event = node.publish("Made");
      node.await(event, EventStatus.DEAD);
      String name = SpeechlessException.class.getName();
      assertThat(node.table.row(event.eventId()).orElseThrow().error()).isEqualTo(name);
      Eventually.await("logged", () -> !log.messages(Level.SEVERE).isEmpty());
      assertThat(log.messages(Level.SEVERE)).singleElement().asString().endsWith("error=" + name);
      assertThat(log.thrown(Level.WARNING)).singleElement().hasToString(name);
      assertThat(log.messages(Level.WARNING)).singleElement().asString().endsWith("error=" + name);
    }
  }

  @Test
  void idTypeAndErrorCannotForgeALineOfTheLog() {
    try (CapturedLog log = new CapturedLog("outbox");
        PlainOutbox node = new PlainOutbox(b -> b.maxAttempts(1))) {
      node.listeners.register(
          "Made\nERROR forged",
          e -> {
            throw new IllegalStateException("broken\u2029ERROR forged");
          });
      EventEnvelope event =
          EventEnvelope.builder("Made\nERROR forged")
              .eventId("1\nERROR forged")
              .payloadJson("{}")
              .build();
      node.transactions.commit(() -> node.client.publish(event));
      node.await(event, EventStatus.DEAD);
      Eventually.await("logged", () -> !log.messages(Level.SEVERE).isEmpty());
      assertThat(log.messages(Level.SEVERE))
          .containsExactly(
              "outbox dead eventId=1\\nERROR forged type=Made\\nERROR forged attempts=1"
                  + " error=java.lang.IllegalStateException: broken\\u2029ERROR forged");
      assertThat(log.lines()).noneMatch(line -> line.contains("\n") || line.contains("\u2029"));
    }
  }

  @Test
  void aCauseThatCannotBePrintedKeepsNoLineFromTheLog() {
    try (CapturedLog log = new CapturedLog("outbox");
        PlainOutbox node = new PlainOutbox(b -> b.maxAttempts(1))) {
      node.listeners.register(
          "Made",
          e -> {
            throw new IllegalStateException("broken", new SpeechlessException(false));
          });
      EventEnvelope event = node.publish("Made");
      node.await(event, EventStatus.DEAD);
      Eventually.await("logged", () -> !log.messages(Level.SEVERE).isEmpty());
      assertThat(log.messages(Level.SEVERE)).singleElement().asString().endsWith(": broken");
      assertThat(log.thrown(Level.WARNING))
          .singleElement()
          .hasToString("java.lang.IllegalStateException: broken");
    }
  }
}
