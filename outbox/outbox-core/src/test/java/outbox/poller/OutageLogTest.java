package outbox.poller;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.memory.Gate;
import outbox.memory.PlainOutbox;
import outbox.model.EventStatus;

/** What an hour without the database, and an hour with a failing listener, leave in the log. */
@Timeout(120)
class OutageLogTest {
  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final Duration STEP = Duration.ofSeconds(1);

  private final CapturedLog log = new CapturedLog("outbox");
  private final SettableTime time = new SettableTime();
  private final AtomicBoolean broken = new AtomicBoolean();
  private final Gate gate = new Gate();

  @AfterEach
  void stopListening() {
    log.close();
  }

  private PlainOutbox node() {
    PlainOutbox node =
        new PlainOutbox(
            time,
            b ->
                b.workers(4)
                    .maxAttempts(1_000)
                    .retryPolicy(new ExponentialBackoffRetryPolicy(200, 60_000)));
    node.listeners.register("Slow", gate);
    node.listeners.register(
        "Made",
        event -> {
          if (broken.get()) {
            throw new IllegalStateException("mail server is down");
          }
        });
    node.listeners.register(
        "Poison",
        event -> {
          throw new NonRetryableException("cannot be read");
        });
    return node;
  }

  private EventEnvelope publish(PlainOutbox node, String type) {
    EventEnvelope event =
        EventEnvelope.builder(type).payloadJson("{}").occurredAt(time.instant()).build();
    node.transactions.commit(() -> node.client.publish(event));
    return event;
  }

  /** Lets time pass in steps; before each the node has done what could be done. */
  private void pass(PlainOutbox node, Duration duration) throws InterruptedException {
    for (Duration past = Duration.ZERO; past.compareTo(duration) < 0; past = past.plus(STEP)) {
      if (broken.get()) { // failures are written at once, without time passing
        node.awaitIdle();
      }
      time.awaitSleepers(3); // poller, status writer and watch
      time.advance(STEP);
    }
    time.awaitSleepers(3);
  }

  @Test
  void anHourOfEachIsAFewLinesWithTheFirstCauseAndTheRecovery() throws Exception {
    try (PlainOutbox node = node();
        OutboxPoller poller = node.poller(200, INTERVAL)) {
      poller.start();
      EventEnvelope inFlight = publish(node, "Slow");
      gate.awaitEntered();
      node.table.down = true;
      gate.open();
      pass(node, Duration.ofHours(1));
      node.table.down = false;
      pass(node, INTERVAL);
      node.await(inFlight, EventStatus.DONE);
      Eventually.await("over", () -> contains("INFO outbox database access works again"));
      List<String> outage = log.lines().stream().skip(1).toList(); // the first is of the start
      assertThat(outage).hasSizeBetween(55, 65);
      assertThat(outage.get(0))
          .startsWith("SEVERE outbox database access failed during=")
          .endsWith("error=java.sql.SQLException: the database is down");
      assertThat(log.thrown(java.util.logging.Level.SEVERE)).hasSize(1);

      broken.set(true);
      List<EventEnvelope> events = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        events.add(publish(node, "Made"));
      }
      for (int i = 0; i < 10; i++) {
        node.await(publish(node, "Poison"), EventStatus.DEAD);
      }
      pass(node, Duration.ofHours(1));
      broken.set(false);
      Eventually.await("all", () -> areDoneAfterAStep(node, events));
      Eventually.await("again", () -> contains("INFO outbox listener works again type=Made"));

      List<String> all = log.lines();
      assertThat(all).hasSizeLessThan(200);
      assertThat(all)
          .filteredOn(line -> line.startsWith("WARNING outbox listener failed type=Made"))
          .singleElement()
          .asString()
          .endsWith("error=java.lang.IllegalStateException: mail server is down");
      assertThat(all)
          .filteredOn(line -> line.startsWith("WARNING outbox listener still fails type=Made"))
          .hasSizeBetween(50, 61);
      assertThat(all).filteredOn(line -> line.startsWith("SEVERE outbox dead")).hasSize(10);
    }
  }

  private boolean areDoneAfterAStep(PlainOutbox node, List<EventEnvelope> events)
      throws InterruptedException {
    pass(node, STEP);
    return events.stream().allMatch(e -> node.table.status(e.eventId()) == EventStatus.DONE);
  }

  private boolean contains(String start) {
    return log.lines().stream().anyMatch(line -> line.startsWith(start));
  }
}
