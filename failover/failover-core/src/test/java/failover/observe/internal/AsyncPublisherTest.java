package failover.observe.internal;

import static org.assertj.core.api.Assertions.assertThat;

import failover.observe.ObservablePublisher.Metrics;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.threads.Together;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AsyncPublisherTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final SettableTime time = new SettableTime();

  @Test
  void callersDoNotWaitAndWhatDoesNotFitIsDropped() {
    Semaphore permits = new Semaphore(0);
    List<String> told = new CopyOnWriteArrayList<>();
    AsyncPublisher publisher =
        new AsyncPublisher(
            event -> {
              permits.acquireUninterruptibly();
              told.add(event.name());
            },
            10,
            UnaryOperator.identity(),
            time);
    try (CapturedLog log = new CapturedLog("failover")) {
      publisher.publish(Metrics.of("first"));
      Eventually.await("the first is on its way", () -> publisher.waiting() == 0);
      for (int i = 0; i < 15; i++) {
        publisher.publish(Metrics.of("e" + i));
      }
      assertThat(publisher.dropped()).isEqualTo(5);
      assertThat(log.messages(Level.WARNING)).hasSize(1);
    }
    permits.release(100);
    publisher.close(SOON);
    assertThat(told).hasSize(11).startsWith("first", "e0").endsWith("e9");
    publisher.publish(Metrics.of("late"));
    assertThat(publisher.dropped()).isEqualTo(6);
  }

  @Test
  void eventsOfManyThreadsAreAllToldWithoutAnybodyClosing() throws Exception {
    AtomicInteger told = new AtomicInteger();
    AsyncPublisher publisher =
        new AsyncPublisher(
            event -> told.incrementAndGet(), 100_000, UnaryOperator.identity(), time);
    Together.runAll(
        8,
        () -> {
          for (int i = 0; i < 1_000; i++) {
            publisher.publish(Metrics.of("e"));
          }
        });
    Eventually.await("all are told", () -> told.get() == 8_000);
    publisher.close(SOON);
    assertThat(publisher.dropped()).isZero();
  }
}
