package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.OutboxLifecycleListener;
import outbox.memory.Gate;
import outbox.memory.PlainOutbox;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;

/** Which lifecycle events the listener is called for. */
class LifecycleListenerTest {
  private final Queue<String> called = new ConcurrentLinkedQueue<>();

  private final OutboxLifecycleListener listener =
      new OutboxLifecycleListener() {
        @Override
        public void onDelivered(EventEnvelope event) {
          called.add("delivered " + event.eventType());
        }

        @Override
        public void onRetry(EventEnvelope event, Duration delay, String error) {
          called.add("retry " + event.eventType() + " " + delay + " " + error);
        }

        @Override
        public void onDead(String eventId, @Nullable String eventType, String error) {
          called.add("dead " + eventType + " " + error);
        }

        @Override
        public void onReleased(EventEnvelope event) {
          called.add("released " + event.eventType());
        }

        @Override
        public void onUnhandled(EventEnvelope event) {
          called.add("unhandled " + event.eventType());
        }

        @Override
        public void onDatabaseLost(Exception cause) {
          called.add("lost " + cause.getMessage());
        }

        @Override
        public void onDatabaseBack() {
          called.add("back");
        }
      };

  private void awaitCall(String call) {
    Eventually.await(call + " of " + called, () -> called.contains(call));
  }

  @Test
  void itIsCalledForEachOutcome() {
    try (CapturedLog log = new CapturedLog("outbox");
        PlainOutbox node = new PlainOutbox(b -> b.lifecycleListener(listener))) {
      node.listeners.register("Made", node::record);
      node.listeners.register(
          "Flaky",
          event -> {
            throw new IllegalStateException("broken");
          });
      node.listeners.register(
          "Poison",
          event -> {
            throw new NonRetryableException("never");
          });
      node.publish("Made");
      node.publish("Flaky");
      node.publish("Poison");
      node.publish("Unknown");
      awaitCall("delivered Made");
      awaitCall("retry Flaky PT0S java.lang.IllegalStateException: broken");
      awaitCall("dead Poison outbox.NonRetryableException: never");
      awaitCall("unhandled Unknown");
      assertThat(called).hasSize(4);
      assertThat(log.lines()).isNotEmpty();
    }
  }

  @Test
  void itIsCalledForWhatIsReleasedOnClose() throws InterruptedException {
    Gate gate = new Gate();
    PlainOutbox node = new PlainOutbox(b -> b.lifecycleListener(listener));
    node.listeners.register("Slow", gate);
    node.listeners.register("Made", node::record);
    node.publish("Slow");
    gate.awaitEntered();
    node.publish("Made");
    node.dispatcher.close(Duration.ZERO);
    gate.open();
    awaitCall("released Made");
  }

  @Test
  void itIsCalledWhenTheDatabaseGoesAndWhenItIsBack() {
    try (CapturedLog log = new CapturedLog("outbox");
        PlainOutbox node = new PlainOutbox(b -> b.lifecycleListener(listener));
        OutboxPoller poller = node.poller(10, Duration.ofMinutes(1))) {
      node.table.down = true;
      poller.poll();
      poller.poll();
      node.table.down = false;
      poller.poll();
      assertThat(called).containsExactly("lost the database is down", "back");
      assertThat(log.lines()).as("start, begin and end of the outage").hasSize(3);
    }
  }

  @Test
  void whatItThrowsIsLoggedAndIgnored() {
    OutboxLifecycleListener broken =
        new OutboxLifecycleListener() {
          @Override
          public void onDelivered(EventEnvelope event) {
            throw new IllegalStateException("no room\nERROR forged");
          }
        };
    try (CapturedLog log = new CapturedLog("outbox");
        PlainOutbox node = new PlainOutbox(b -> b.lifecycleListener(broken))) {
      node.listeners.register("Made", node::record);
      for (int i = 0; i < 10; i++) {
        node.await(node.publish("Made"), EventStatus.DONE);
      }
      node.awaitIdle();
      assertThat(log.messages(Level.WARNING))
          .containsExactly(
              "outbox lifecycle listener failed failures=1"
                  + " error=java.lang.IllegalStateException: no room\\nERROR forged");
    }
  }
}
