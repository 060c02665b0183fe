package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.lifecycle.CloseReport;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.memory.Gate;
import outbox.memory.PlainOutbox;
import outbox.model.EventStatus;

/** The end of a dispatcher. */
class ClosingTest {
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final Duration SHORT = Duration.ofMillis(50);

  /** A quarter of it is for writing, which a busy machine may begin late. */
  private static final Duration SHORT_WITH_TIME_TO_WRITE = Duration.ofSeconds(4);

  private final CapturedLog log = new CapturedLog("outbox");
  private final Gate gate = new Gate();

  @AfterEach
  void stopListening() {
    log.close();
  }

  @Test
  void whatWaitsIsDeliveredWithinTheDeadline() throws Exception {
    PlainOutbox node = new PlainOutbox();
    node.listeners.register("Slow", gate).register("Made", node::record);
    node.publish("Slow");
    gate.awaitEntered();
    for (int i = 0; i < 100; i++) {
      node.publish("Made");
    }
    gate.open();
    CloseReport report = node.dispatcher.close(LONG);
    assertThat(report).isEqualTo(new CloseReport(0, 0, 0));
    assertThat(report.isClean()).isTrue();
    assertThat(node.table.count(EventStatus.DONE)).isEqualTo(101);
    assertThat(node.dispatcher.inFlight()).isZero();
  }

  @Test
  void whatStillWaitsAtTheDeadlineIsReleasedAndTheListenerInterrupted() throws Exception {
    PlainOutbox node = new PlainOutbox();
    node.listeners.register("Slow", gate).register("Made", node::record);
    EventEnvelope slow = node.publish("Slow");
    gate.awaitEntered();
    for (int i = 0; i < 10; i++) {
      node.publish("Made");
    }
    CloseReport report = node.dispatcher.close(SHORT_WITH_TIME_TO_WRITE);
    assertThat(report.released()).as("10 that wait, one that was interrupted").isEqualTo(11);
    assertThat(report.stillRunning()).isZero();
    assertThat(report.isClean()).isFalse();
    node.awaitIdle();
    assertThat(node.delivered).isEmpty();
    assertThat(node.table.count(EventStatus.NEW)).isEqualTo(11);
    assertThat(node.table.row(slow.eventId()).orElseThrow().attempts())
        .as("an interrupted attempt does not count")
        .isZero();
    assertThat(node.metrics.of("released")).isEqualTo(11);
  }

  @Test
  void anInterruptInDisguiseDoesNotCountEither() throws Exception {
    PlainOutbox node = new PlainOutbox();
    CountDownLatch entered = new CountDownLatch(1);
    node.listeners.register(
        "Slow",
        event -> {
          entered.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            throw new IllegalStateException("the driver was disturbed", e);
          }
        });
    EventEnvelope slow = node.publish("Slow");
    entered.await();
    node.dispatcher.close(SHORT);
    node.awaitIdle();
    assertThat(node.table.status(slow.eventId())).isEqualTo(EventStatus.NEW);
    assertThat(node.metrics.of("failure")).isZero();
  }

  @Test
  void aListenerThatFinishesInSpiteOfTheInterruptIsDone() throws Exception {
    PlainOutbox node = new PlainOutbox();
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    node.listeners.register(
        "Slow",
        event -> {
          entered.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.countDown();
          }
          gate.onEvent(event);
        });
    EventEnvelope slow = node.publish("Slow");
    entered.await();
    assertThat(node.dispatcher.close(SHORT).stillRunning()).isEqualTo(1);
    interrupted.await();
    gate.awaitEntered();
    gate.open();
    node.await(slow, EventStatus.DONE);
  }

  @Test
  void outcomesThatCannotBeWrittenAreReportedAndStillTried() {
    PlainOutbox node = new PlainOutbox();
    node.listeners.register("Made", node::record);
    node.table.down = true;
    for (int i = 0; i < 20; i++) {
      node.publish("Made");
    }
    Eventually.await("delivered", () -> node.delivered.size() == 20);
    CloseReport report = node.dispatcher.close(Duration.ofMillis(200));
    assertThat(report).isEqualTo(new CloseReport(0, 0, 20));
    node.table.down = false;
    node.awaitIdle();
    assertThat(node.table.count(EventStatus.DONE)).isEqualTo(20);
  }

  @Test
  void onlyWhatIsBackInTheTableCountsAsReleased() throws Exception {
    PlainOutbox node = new PlainOutbox();
    node.listeners.register("Slow", gate).register("Made", node::record);
    node.publish("Slow");
    gate.awaitEntered();
    for (int i = 0; i < 10; i++) {
      node.publish("Made");
    }
    node.table.down = true;
    CloseReport report = node.dispatcher.close(Duration.ofMillis(200));
    assertThat(report.released()).isZero();
    assertThat(report.unwritten()).as("the listener may have ended too").isBetween(10L, 11L);
    node.table.down = false;
    node.awaitIdle();
    assertThat(node.metrics.of("released")).isEqualTo(11);
  }

  @Test
  void closingTwiceIsClosingOnce() {
    PlainOutbox node = new PlainOutbox();
    node.dispatcher.close();
    assertThat(node.dispatcher.close(LONG).isClean()).isTrue();
    node.dispatcher.close();
  }

  @Test
  void aClosedDispatcherTakesNothing() {
    PlainOutbox node = new PlainOutbox();
    node.listeners.register("Made", node::record);
    node.close();
    EventEnvelope event = EventEnvelope.ofJson("Made", "{}");
    assertThat(node.hot(event)).isFalse();
    assertThat(node.cold(event, 0)).isFalse();
    EventEnvelope published = node.publish("Made");
    assertThat(node.table.status(published.eventId())).isEqualTo(EventStatus.NEW);
    assertThat(node.delivered).isEmpty();
    assertThat(node.dispatcher.inFlight()).isZero();
  }

  @Test
  void theTimeToCloseCanBeSet() throws Exception {
    PlainOutbox node = new PlainOutbox(b -> b.closeTimeout(SHORT));
    node.listeners.register("Slow", gate);
    node.publish("Slow");
    gate.awaitEntered();
    node.dispatcher.close();
    node.awaitIdle();
    assertThat(node.table.count(EventStatus.NEW)).isEqualTo(1);
  }

  @Test
  void aThreadInterruptedWhileClosingDoesNotWaitAndStaysInterrupted() throws Exception {
    PlainOutbox node = new PlainOutbox();
    node.listeners.register("Slow", gate);
    node.publish("Slow");
    gate.awaitEntered();
    Thread.currentThread().interrupt();
    long closedAt = System.nanoTime();
    CloseReport report = node.dispatcher.close(LONG);
    Duration taken = Duration.ofNanos(System.nanoTime() - closedAt);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(taken).isLessThan(LONG.dividedBy(2));
    assertThat(report).isEqualTo(new CloseReport(1, 0, 0));
  }
}
