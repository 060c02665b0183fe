package eventbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.Timeout;

/** Handlers that do not return: they are seen, and ended where a time limit is set. */
@Timeout(120)
class HangingHandlerTest extends BusFixture {
  private final CountDownLatch end = new CountDownLatch(1);

  @EachDatabase
  void aHandlerThatExceedsItsTimeHasFailedAndIsTriedAgain() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    EventBus bus =
        buses.started(
            b ->
                b.handlerTimeout("A", Duration.ofMillis(100))
                    .handler(
                        "A",
                        event -> {
                          if (runs.incrementAndGet() == 1) {
                            end.await();
                          }
                        }));
    long id = bus.publish(Buses.event("A"));
    Eventually.await("logged", () -> !buses.tables.logged(id).isEmpty());
    assertThat(buses.tables.logged(id)).containsEntry("status", "COMPLETED");
    assertThat(runs).hasValue(2);
    assertThat(bus.counts().retried()).isEqualTo(1);
  }

  @EachDatabase
  void oneThatIgnoresTheInterruptKeepsItsEventAndAnotherThreadWorksOn() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    AtomicInteger beside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    EventBus bus =
        buses.started(
            b ->
                b.workers(1)
                    .handlerTimeout("A", Duration.ofMillis(50))
                    .handler("B", buses.recording())
                    .handler(
                        "A",
                        event -> {
                          most.accumulateAndGet(beside.incrementAndGet(), Math::max);
                          if (runs.incrementAndGet() == 1) {
                            awaitWhateverComes();
                          }
                          beside.decrementAndGet();
                        }));
    long hanging = bus.publish(Buses.event("A"));
    Eventually.await("hangs", () -> runs.get() == 1);
    for (int i = 0; i < 5; i++) {
      bus.publish(Buses.event("B"));
    }
    Eventually.await("others", () -> buses.tables.count("event_log") == 5);
    assertThat(buses.tables.event(hanging)).containsEntry("status", "PROCESSING");
    assertThat(runs).hasValue(1);
    end.countDown();
    Eventually.await("logged", () -> !buses.tables.logged(hanging).isEmpty());
    assertThat(buses.tables.logged(hanging)).containsEntry("status", "COMPLETED");
    assertThat(runs).hasValue(2);
    assertThat(most).as("never beside itself").hasValue(1);
  }

  @EachDatabase(DatabaseKind.H2)
  void noMoreThanAsManyThreadsAsWorkersReplaceThoseThatHang() throws Exception {
    SettableTime time = new SettableTime();
    AtomicInteger hanging = new AtomicInteger();
    EventBus bus =
        buses.started(
            b ->
                b.timeSource(time)
                    .workers(2)
                    .handlerTimeout("A", Duration.ofSeconds(1))
                    .handler(
                        "A",
                        event -> {
                          hanging.incrementAndGet();
                          awaitWhateverComes();
                        }));
    for (int i = 0; i < 10; i++) {
      bus.publish(Buses.event("A"));
    }
    for (int expected = 2; expected <= 4; expected += 2) {
      int more = expected;
      Eventually.await("as many hang", () -> hanging.get() == more);
      time.awaitSleepers(3); // who claims, who writes and who watches
      time.advance(Duration.ofSeconds(2));
    }
    for (int i = 0; i < 20; i++) { // the time of every check that could start another thread
      time.advance(Duration.ofSeconds(2));
    }
    assertThat(bus.longestRunning()).isGreaterThan(Duration.ofSeconds(40));
    assertThat(hanging).hasValue(4);
    end.countDown();
    Eventually.await("ended", () -> bus.longestRunning().isZero());
  }

  private void awaitWhateverComes() {
    while (end.getCount() > 0) {
      Thread.onSpinWait();
    }
  }

  @EachDatabase(DatabaseKind.H2)
  void afterAMinuteTheStackOfItsThreadIsLogged() throws Exception {
    SettableTime time = new SettableTime();
    AtomicBoolean runs = new AtomicBoolean();
    try (CapturedLog log = new CapturedLog("eventbus")) {
      EventBus bus =
          buses.started(
              b ->
                  b.timeSource(time)
                      .workers(1)
                      .handler(
                          "A",
                          event -> {
                            runs.set(true);
                            end.await();
                          }));
      bus.publish(Buses.event("A"));
      Eventually.await("hangs", runs::get);
      assertThat(bus.allWorkersHang()).isFalse();
      time.awaitSleepers(3); // who claims, who writes and who watches
      time.advance(Duration.ofSeconds(61));
      Eventually.await("said", () -> said(log) == 1);
      assertThat(log.messages(Level.WARNING))
          .anySatisfy(
              line ->
                  assertThat(line).contains("handler may hang: type=A").contains("running for 61"));
      assertThat(log.thrown(Level.WARNING))
          .anySatisfy(
              thrown ->
                  assertThat(thrown.getStackTrace())
                      .anyMatch(frame -> frame.getClassName().contains("HangingHandlerTest")));
      assertThat(bus.allWorkersHang()).isTrue();
      assertThat(bus.longestRunning()).isGreaterThanOrEqualTo(Duration.ofSeconds(61));
      time.awaitSleepers(3);
      time.advance(Duration.ofSeconds(30));
      time.awaitSleepers(3);
      time.advance(Duration.ofSeconds(31));
      Eventually.await("said after twice the time", () -> said(log) == 2);
      end.countDown();
      Eventually.await("ended", () -> bus.longestRunning().isZero());
      assertThat(bus.allWorkersHang()).isFalse();
      time.advance(Duration.ofSeconds(1));
    }
  }

  private static long said(CapturedLog log) {
    return log.messages(Level.WARNING).stream().filter(line -> line.contains("may hang")).count();
  }

  @EachDatabase(DatabaseKind.H2)
  void aLimitThatIsNotMoreThanZeroIsRefused() {
    assertThatThrownBy(
            () ->
                buses.made(
                    b -> b.handlerTimeout(Duration.ZERO).handlerTimeout("A", Duration.ofDays(-1))))
        .hasMessageContaining("handlerTimeout must be more than zero but was PT0S")
        .hasMessageContaining("handlerTimeout of A must be more than zero but was PT-24H");
  }
}
