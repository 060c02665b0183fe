package eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.lifecycle.CloseReport;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.threads.Together;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;

/** What closing reports when the database is gone, and closing at an odd moment. */
@Timeout(120)
class ClosingTest extends BusFixture {
  private final CountDownLatch running = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);

  private void hold(Event event) throws InterruptedException {
    running.countDown();
    end.await();
  }

  @EachDatabase
  void onlyWhatIsBackInTheTableCountsAsReleased() throws Exception {
    EventBus bus = buses.claimingAhead(b -> b.workers(1).handler("A", this::hold));
    bus.publishAll(Collections.nCopies(10, Buses.event("A")));
    running.await();
    Eventually.await("claimed ahead", () -> bus.inFlight() == 10);
    buses.pool.failOn(call -> true);
    CloseReport report = bus.close(Duration.ofMillis(500));
    assertThat(report.released()).isZero();
    assertThat(report.unwritten()).as("the handler may have ended too").isBetween(9L, 10L);
    buses.pool.heal();
    Eventually.await("back", () -> buses.tables.count("events WHERE status = 'PENDING'") == 10);
    Eventually.await("counted", () -> bus.counts().released() == 10);
    assertThat(bus.close(Duration.ZERO)).as("what was left then").isEqualTo(report);
  }

  @EachDatabase(DatabaseKind.H2)
  void whatFindsNoPlaceAmongTheOutcomesIsReportedAsUnwritten() throws Exception {
    int workers = 4;
    int waiting = 12_000; // more than the writer keeps for later
    SettableTime time = new SettableTime(); // handlers that take no time let it claim far ahead
    EventBus bus =
        buses.started(
            b ->
                b.timeSource(time)
                    .workers(workers)
                    .batchSize(2 * waiting)
                    .handler("quick", buses.recording())
                    .handler("slow", event -> end.await()));
    bus.publish(Buses.event("quick"));
    Eventually.await("quick", () -> bus.counts().completed() == 1);
    bus.publishAll(Collections.nCopies(workers, Buses.event("slow")));
    Eventually.await("busy", () -> bus.inFlight() == workers);
    bus.publishAll(Collections.nCopies(waiting, Buses.event("slow")));
    Eventually.await("claimed ahead", () -> bus.inFlight() == workers + waiting);
    buses.pool.failOn(call -> true);
    FutureTask<CloseReport> closing = new FutureTask<>(() -> bus.close(Duration.ofSeconds(1)));
    new Thread(closing).start();
    Eventually.await("closed", () -> passed(time) && closing.isDone());
    assertThat(closing.get().released()).isZero();
    assertThat(closing.get().unwritten())
        .as("the handlers may have ended too")
        .isBetween((long) waiting, (long) waiting + workers);
    buses.pool.heal();
    Eventually.await("let go", () -> passed(time) && bus.inFlight() == 0);
  }

  /** Lets a moment pass. */
  private static boolean passed(SettableTime time) {
    time.advance(Duration.ofMillis(10));
    return true;
  }

  @EachDatabase(DatabaseKind.H2)
  void closedWhileItStartsItLeavesNoThread() throws Exception {
    Random random = new Random(4);
    AtomicInteger started = new AtomicInteger();
    for (int round = 0; round < 300; round++) {
      EventBus bus = buses.made(b -> b.handler("A", buses.recording()));
      int lent = buses.pool.lent();
      int pause = random.nextInt(2_000);
      AtomicBoolean first = new AtomicBoolean(true);
      Together.runAll(
          2,
          () -> {
            if (first.getAndSet(false)) {
              startUnlessClosed(bus, started);
            } else {
              // Starting asks for the tables first: with its connection back, it is about to begin.
              while (buses.pool.lent() == lent || buses.pool.out() > 0) {
                Thread.onSpinWait();
              }
              for (int i = 0; i < pause; i++) {
                Thread.onSpinWait();
              }
              bus.close(Duration.ofSeconds(20));
            }
          });
    }
    Eventually.await(
        "threads ended",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("eventbus-")));
    assertThat(started.get()).as("sometimes the one, sometimes the other was first").isPositive();
  }

  private static void startUnlessClosed(EventBus bus, AtomicInteger started) {
    try {
      bus.start();
      started.incrementAndGet();
    } catch (IllegalStateException e) {
      assertThat(e).hasMessage("EventBus is closed and cannot be started; make a new one");
    }
  }

  @EachDatabase(DatabaseKind.H2)
  void whoClosesItASecondTimeMeanwhileGetsTheSameReport() throws Exception {
    EventBus bus = buses.claimingAhead(b -> b.workers(1).handler("A", this::hold));
    bus.publishAll(Collections.nCopies(5, Buses.event("A")));
    running.await();
    Eventually.await("claimed ahead", () -> bus.inFlight() == 5);
    FutureTask<List<CloseReport>> closing =
        new FutureTask<>(() -> Together.callAll(3, () -> bus.close(Duration.ofSeconds(60))));
    new Thread(closing).start();
    Eventually.await("back", () -> buses.tables.count("events WHERE status = 'PENDING'") == 4);
    end.countDown();
    assertThat(closing.get()).containsOnly(new CloseReport(4, 0, 0));
  }
}
