package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.RetryAfterException;
import outbox.memory.MemoryTable;
import outbox.memory.PlainOutbox;
import outbox.model.EventStatus;

/** One event on its way through a node with a five-method store, and how its delivery can end. */
class DeliveryTest {

  /** An error of the virtual machine that does no harm. */
  private static final class TestMachineError extends VirtualMachineError {
    private static final long serialVersionUID = 1L;
  }

  private static EventEnvelope event() {
    return EventEnvelope.ofJson("Made", "{}");
  }

  @Test
  void aCommittedEventIsDeliveredAndMarkedDone() {
    try (PlainOutbox node = new PlainOutbox()) {
      node.listeners.register("Made", node::record);
      EventEnvelope event = node.publish("Made");
      node.await(event, EventStatus.DONE);
      node.awaitIdle();
      assertThat(node.delivered).containsExactly(event);
      assertThat(node.metrics.of("hot")).isEqualTo(1);
      assertThat(node.metrics.of("success")).isEqualTo(1);
      assertThat(node.metrics.of("timed")).isEqualTo(1);
      assertThat(node.metrics.of("stale")).isZero();
    }
  }

  @Test
  void listenersRunInTheOrderTheyWereRegistered() {
    try (PlainOutbox node = new PlainOutbox()) {
      Queue<String> order = new ConcurrentLinkedQueue<>();
      node.listeners
          .registerAll(e -> order.add("all"))
          .register("Made", e -> order.add("first"))
          .register("Other", e -> order.add("other"))
          .register("Made", e -> order.add("second"));
      node.await(node.publish("Made"), EventStatus.DONE);
      assertThat(order).containsExactly("first", "second", "all");
    }
  }

  @Test
  void listenersAfterTheOneThatFailsDoNotRun() {
    try (PlainOutbox node = new PlainOutbox()) {
      node.listeners
          .register(
              "Made",
              e -> {
                throw new IllegalStateException("broken");
              })
          .register("Made", node::record);
      node.await(node.publish("Made"), EventStatus.RETRY);
      assertThat(node.delivered).isEmpty();
    }
  }

  @Test
  void aFailureIsRetriedAfterTheDelayOfThePolicy() throws Exception {
    SettableTime time = new SettableTime();
    Queue<Integer> asked = new ConcurrentLinkedQueue<>();
    RetryPolicy policy =
        attempts -> {
          asked.add(attempts);
          return 1_234L;
        };
    try (PlainOutbox node = new PlainOutbox(time, b -> b.retryPolicy(policy))) {
      node.listeners.register(
          "Made",
          e -> {
            throw new IllegalStateException("broken");
          });
      EventEnvelope event = node.publish("Made");
      node.await(event, EventStatus.RETRY);
      MemoryTable.Row row = node.table.row(event.eventId()).orElseThrow();
      assertThat(row.availableAt()).isEqualTo(SettableTime.START.plusMillis(1_234));
      assertThat(row.attempts()).isEqualTo(1);
      assertThat(row.error()).isEqualTo("java.lang.IllegalStateException: broken");
      node.awaitIdle();
      assertThat(node.metrics.of("failure")).isEqualTo(1);
      node.cold(event, 4);
      Eventually.await("second attempt", () -> node.metrics.of("failure") == 2);
      assertThat(asked).containsExactly(1, 5);
    }
  }

  @Test
  void anEventIsDeadWhenItsLastAttemptFails() {
    try (CapturedLog log = new CapturedLog("outbox");
        PlainOutbox node = new PlainOutbox(b -> b.maxAttempts(3))) {
      node.listeners.register(
          "Made",
          e -> {
            throw new IllegalStateException("broken");
          });
      EventEnvelope event = event();
      node.table.insert(event);
      node.cold(event, 1);
      node.await(event, EventStatus.RETRY);
      node.awaitIdle();
      node.cold(event, 2);
      node.await(event, EventStatus.DEAD);
      node.awaitIdle();
      assertThat(node.table.row(event.eventId()).orElseThrow().error()).endsWith(": broken");
      Eventually.await("logged", () -> !log.messages(Level.SEVERE).isEmpty());
      assertThat(node.metrics.of("dead")).isEqualTo(1);
      assertThat(log.messages(Level.SEVERE))
          .singleElement()
          .asString()
          .startsWith("outbox dead eventId=" + event.eventId() + " type=Made attempts=3");
    }
  }

  @Test
  void aListenerCanGiveAnEventUpAtOnce() {
    try (CapturedLog log = new CapturedLog("outbox");
        PlainOutbox node = new PlainOutbox()) {
      node.listeners.register(
          "Made",
          e -> {
            throw new NonRetryableException("never again");
          });
      EventEnvelope event = node.publish("Made");
      node.await(event, EventStatus.DEAD);
      assertThat(node.table.row(event.eventId()).orElseThrow().error()).contains("never again");
      Eventually.await("logged", () -> log.messages(Level.SEVERE).size() == 1);
    }
  }

  @Test
  void aListenerCanSayWhenItWantsToBeAskedAgain() {
    SettableTime time = new SettableTime();
    try (PlainOutbox node = new PlainOutbox(time, b -> b.retryPolicy(attempts -> 1))) {
      node.listeners.register(
          "Made",
          e -> {
            throw new RetryAfterException(Duration.ofMinutes(7));
          });
      EventEnvelope event = node.publish("Made");
      node.await(event, EventStatus.RETRY);
      MemoryTable.Row row = node.table.row(event.eventId()).orElseThrow();
      assertThat(row.availableAt()).isEqualTo(SettableTime.START.plus(Duration.ofMinutes(7)));
      assertThat(row.attempts()).isEqualTo(1);
    }
  }

  @Test
  void aDelayBeyondAllCalendarsIsCutInsteadOfStoppingTheMarks() {
    try (PlainOutbox node = new PlainOutbox()) {
      node.listeners.register(
          "Made",
          e -> {
            throw new RetryAfterException(Duration.ofSeconds(Long.MAX_VALUE));
          });
      node.await(node.publish("Made"), EventStatus.RETRY);
    }
  }

  @Test
  void aPolicyThatThrowsIsNoReasonToForgetTheFailure() {
    RetryPolicy broken =
        attempts -> {
          throw new IllegalStateException("broken policy");
        };
    try (CapturedLog log = new CapturedLog("outbox");
        PlainOutbox node = new PlainOutbox(b -> b.retryPolicy(broken))) {
      node.listeners.register(
          "Made",
          e -> {
            throw new IllegalStateException("broken");
          });
      EventEnvelope event = node.publish("Made");
      node.await(event, EventStatus.RETRY);
      assertThat(node.table.row(event.eventId()).orElseThrow().error()).endsWith(": broken");
      assertThat(log.messages(Level.WARNING)).anyMatch(m -> m.contains("retry policy"));
    }
  }

  @Test
  void anErrorIsAFailedAttemptAndTheWorkerLivesOn() {
    try (PlainOutbox node = new PlainOutbox()) {
      Queue<Thread> threads = new ConcurrentLinkedQueue<>();
      node.listeners.register(
          "Bad",
          e -> {
            threads.add(Thread.currentThread());
            throw new AssertionError("broken");
          });
      node.listeners.register("Made", e -> threads.add(Thread.currentThread()));
      EventEnvelope bad = node.publish("Bad");
      node.await(bad, EventStatus.RETRY);
      node.await(node.publish("Made"), EventStatus.DONE);
      assertThat(List.copyOf(threads)).hasSize(2).containsOnly(threads.peek());
      assertThat(node.table.row(bad.eventId()).orElseThrow().attempts()).isEqualTo(1);
    }
  }

  @Test
  void anErrorOfTheVirtualMachineIsMarkedAndTheThreadReplaced() {
    AtomicInteger uncaught = new AtomicInteger();
    try (PlainOutbox node = new PlainOutbox()) {
      Queue<Thread> threads = new ConcurrentLinkedQueue<>();
      node.listeners.register(
          "Bad",
          e -> {
            threads.add(Thread.currentThread());
            Thread.currentThread().setUncaughtExceptionHandler((t, x) -> uncaught.addAndGet(1));
            throw new TestMachineError();
          });
      node.listeners.register("Made", e -> threads.add(Thread.currentThread()));
      EventEnvelope bad = node.publish("Bad");
      node.await(bad, EventStatus.RETRY);
      node.await(node.publish("Made"), EventStatus.DONE);
      assertThat(threads).doesNotHaveDuplicates().hasSize(2);
      Eventually.await("seen by the thread's handler", () -> uncaught.get() == 1);
      assertThat(node.table.row(bad.eventId()).orElseThrow().error()).contains("TestMachineError");
    }
  }

  @Test
  void errorsOfTheVirtualMachineAreLoggedOnceAMinute() {
    try (CapturedLog log = new CapturedLog("outbox");
        PlainOutbox node = new PlainOutbox()) {
      node.listeners.register(
          "Bad",
          e -> {
            throw new TestMachineError();
          });
      for (int i = 0; i < 3; i++) {
        node.await(node.publish("Bad"), EventStatus.RETRY);
      }
      node.awaitIdle();
      assertThat(log.messages(Level.SEVERE))
          .singleElement()
          .asString()
          .startsWith("outbox worker ended by an error and was replaced errors=1 error=")
          .contains("TestMachineError");
    }
  }

  @Test
  void aSettingForATypeThatNobodyListensToIsNamedAtTheStart() {
    try (CapturedLog log = new CapturedLog("outbox");
        PlainOutbox node =
            new PlainOutbox(
                b ->
                    b.concurrency("Mad", 1)
                        .listenerTimeout("Mad", Duration.ofSeconds(1))
                        .retryPolicy("Mad", attempts -> 1))) {
      assertThat(node.dispatcher.inFlight()).isZero();
      assertThat(log.messages(Level.WARNING))
          .containsExactly(
              "outbox has settings for a type without a listener on this node: check its spelling"
                  + " type=Mad");
    }
  }

  @Test
  void aListenerThatRecursesForEverIsAFailedAttempt() {
    try (PlainOutbox node = new PlainOutbox()) {
      node.listeners.register(
          "Bad",
          new outbox.EventListener() {
            @Override
            public void onEvent(EventEnvelope event) throws Exception {
              Thread.currentThread().setUncaughtExceptionHandler((t, x) -> {});
              for (int i = 0; i >= 0; i++) {
                onEvent(event);
              }
            }
          });
      EventEnvelope bad = node.publish("Bad");
      node.await(bad, EventStatus.RETRY);
      assertThat(node.table.row(bad.eventId()).orElseThrow().error()).contains("StackOverflow");
    }
  }

  @Test
  void aListenerThatLeavesItsThreadInterruptedDoesNotStopTheWorkers() {
    try (PlainOutbox node = new PlainOutbox()) {
      node.listeners.register("Made", e -> Thread.currentThread().interrupt());
      for (int i = 0; i < 5; i++) {
        node.await(node.publish("Made"), EventStatus.DONE);
      }
    }
  }

  @Test
  void aRegistryThatThrowsIsAFailedAttempt() {
    MemoryTable table = new MemoryTable(holdfast.time.TimeSource.system());
    OutboxDispatcher dispatcher =
        OutboxDispatcher.builder(
                table,
                table,
                type -> {
                  throw new IllegalStateException("no listeners today");
                })
            .build();
    try {
      EventEnvelope event = event();
      table.insert(event);
      dispatcher.enqueueHot(new QueuedEvent(event, QueuedEvent.Source.HOT, 0));
      Eventually.await("retry", () -> table.status(event.eventId()) == EventStatus.RETRY);
      assertThat(table.row(event.eventId()).orElseThrow().error()).contains("no listeners today");
    } finally {
      dispatcher.close();
    }
  }
}
