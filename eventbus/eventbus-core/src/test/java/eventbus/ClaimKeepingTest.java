package eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.lifecycle.CloseReport;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;

/** Claims of workers: kept while they work, lost with them, released when they stop. */
@Timeout(120)
class ClaimKeepingTest extends BusFixture {
  @EachDatabase({DatabaseKind.POSTGRESQL, DatabaseKind.MARIADB})
  void aHandlerThatTakesLongerThanTheTimeOutKeepsItsEvent() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    EventHandler slow =
        event -> {
          runs.incrementAndGet();
          end.await();
        };
    EventBus bus = buses.started(b -> b.abandonmentTimeout(Buses.SHORT_TIMEOUT).handler("A", slow));
    EventBus other =
        buses.started(b -> b.abandonmentTimeout(Buses.SHORT_TIMEOUT).handler("A", slow));
    long id = bus.publish(Buses.event("A"));
    Eventually.await("started", () -> runs.get() == 1);
    Object started = buses.tables.event(id).get("processing_started_at");
    Object claimEnd = buses.tables.event(id).get("available_at");
    for (int beat = 0; beat < 8; beat++) {
      Object before = claimEnd;
      Eventually.await(
          "heartbeat", () -> !before.equals(buses.tables.event(id).get("available_at")));
      claimEnd = buses.tables.event(id).get("available_at");
    }
    assertThat(buses.tables.event(id)).containsEntry("processing_started_at", started);
    end.countDown();
    Eventually.await("logged", () -> buses.tables.count("event_log") == 1);
    assertThat(runs).hasValue(1);
    assertThat(bus.counts().stale() + other.counts().stale()).isZero();
  }

  @EachDatabase
  void whatADeadWorkerHeldIsHandledByAllWorkersOfAnother() throws Exception {
    EventBus dead = buses.made();
    List<Long> ids = dead.publishAll(Collections.nCopies(20, Buses.event("A")));
    assertThat(dead.poll(20)).hasSize(20);
    buses.advance(Duration.ofMinutes(6));
    CountDownLatch group = new CountDownLatch(4);
    EventBus bus =
        buses.started(
            b ->
                b.workers(4)
                    .handler(
                        "A",
                        event -> {
                          assertThat(event.claim().isSuspect()).isTrue();
                          group.countDown();
                          group.await(); // until four run at the same time
                        }));
    Eventually.await("logged", () -> buses.tables.count("event_log") == 20);
    assertThat(buses.tables.loggedIds(EventStatus.COMPLETED)).isEqualTo(ids);
    assertThat(bus.counts().lapsed()).isEqualTo(20);
  }

  @EachDatabase
  void whatBeganInAGroupBeforeIsInOneOfHalfTheSize() throws Exception {
    EventBus dead = buses.made();
    dead.publishAll(Collections.nCopies(10, Buses.event("A")));
    assertThat(dead.poll(10)).hasSize(10);
    buses.tables.update("UPDATE events SET lapses = 1, suspect_group = 5");
    buses.advance(Duration.ofMinutes(6));
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch group = new CountDownLatch(2);
    buses.started(
        b ->
            b.workers(4)
                .handler(
                    "A",
                    event -> {
                      most.accumulateAndGet(running.incrementAndGet(), Math::max);
                      group.countDown();
                      group.await();
                      running.decrementAndGet();
                    }));
    Eventually.await("logged", () -> buses.tables.count("event_log") == 10);
    assertThat(most).hasValue(2);
  }

  @EachDatabase
  void suspectsDoNotHoldUpTheOthers() throws Exception {
    EventBus dead = buses.made();
    dead.publishAll(Collections.nCopies(3, Buses.event("slow")));
    assertThat(dead.poll(3)).hasSize(3);
    buses.advance(Duration.ofMinutes(6));
    CountDownLatch end = new CountDownLatch(1);
    EventBus bus =
        buses.started(b -> b.handler("slow", event -> end.await()).handler("A", buses.recording()));
    List<Long> ids = bus.publishAll(Collections.nCopies(50, Buses.event("A")));
    Eventually.await("the others", () -> buses.handled.size() == 50);
    assertThat(buses.handled).containsExactlyInAnyOrderElementsOf(ids);
    end.countDown();
    Eventually.await("logged", () -> buses.tables.count("event_log") == 53);
  }

  @EachDatabase
  void anEventThatKillsItsWorkersIsFailedAndAnInnocentOneIsNot() throws Exception {
    EventBus bus = buses.made(b -> b.maxLapses(2).handler("A", buses.recording()));
    long killer = bus.publish(Buses.event("A"));
    long innocent = bus.publish(Buses.event("A"));
    buses.tables.update(
        "UPDATE events SET claimed_by = 'dead', status = 'PROCESSING', claim_token = 7, lapses = 3,"
            + " available_at = TIMESTAMP '2020-01-01 00:00:00' WHERE id = ?",
        killer);
    buses.tables.update(
        "UPDATE events SET claimed_by = 'dead', status = 'PROCESSING', claim_token = 7, lapses = 2,"
            + " available_at = TIMESTAMP '2020-01-01 00:00:01' WHERE id = ?",
        innocent);
    bus.start();
    Eventually.await("logged", () -> buses.tables.count("event_log") == 2);
    assertThat(buses.tables.logged(killer)).containsEntry("status", "FAILED");
    assertThat((String) buses.tables.logged(killer).get("error")).contains("died or hung 3 times");
    assertThat(buses.tables.logged(innocent)).containsEntry("status", "COMPLETED");
  }

  @EachDatabase
  void theStartOfASuspectIsCountedBeforeItsHandlerRuns() throws Exception {
    EventBus dead = buses.made();
    long id = dead.publish(Buses.event("A"));
    dead.poll();
    buses.advance(Duration.ofMinutes(6));
    AtomicInteger lapses = new AtomicInteger();
    buses.started(
        b -> b.handler("A", event -> lapses.set(buses.tables.number(event.id(), "lapses"))));
    Eventually.await("logged", () -> !buses.tables.logged(id).isEmpty());
    assertThat(lapses).as("1 for the lapse, 1 for the start").hasValue(2);
  }

  @EachDatabase
  void aWorkerWhoseClaimHasPassedOnIsRefusedAndCounted() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    EventBus slow =
        buses.started(
            b ->
                b.handler(
                    "A",
                    event -> {
                      started.countDown();
                      end.await();
                    }));
    long id = slow.publish(Buses.event("A"));
    started.await();
    buses.advance(Duration.ofMinutes(6));
    EventBus other = buses.made();
    // Not by the first poll perhaps: while the slow node looks at its row, others pass it over.
    List<Event> acquired = new ArrayList<>();
    Eventually.await("acquired", () -> acquired.addAll(other.poll(1)));
    Event again = acquired.get(0);
    end.countDown();
    Eventually.await("refused", () -> slow.counts().stale() == 1);
    assertThat(buses.tables.event(id)).containsEntry("status", "PROCESSING");
    assertThat(other.finalize(again, true)).isTrue();
    assertThat(slow.counts().completed()).isZero();
    assertThat(other.ledger().delivered()).isEqualTo(1);
  }

  @EachDatabase
  void closingReleasesAtOnceWhatDoesNotRun() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch running = new CountDownLatch(1);
    EventBus bus =
        buses.claimingAhead(
            b ->
                b.workers(1)
                    .handler(
                        "A",
                        event -> {
                          running.countDown();
                          end.await();
                        }));
    List<Long> ids = bus.publishAll(Collections.nCopies(10, Buses.event("A")));
    running.await();
    Eventually.await("claimed ahead", () -> bus.inFlight() > 1);
    Thread closing = new Thread(() -> bus.close(Duration.ofSeconds(60)));
    closing.start();
    Eventually.await("released", () -> buses.tables.count("events WHERE status = 'PENDING'") == 9);
    assertThat(buses.tables.count("events WHERE failures > 0 OR lapses > 0")).isZero();
    assertThat(closing.isAlive()).as("waits for what runs").isTrue();
    end.countDown();
    closing.join();
    CloseReport report = bus.close(Duration.ZERO);
    assertThat(report.stillRunning()).isZero();
    assertThat(report.unwritten()).isZero();
    assertThat(report.released()).isPositive();
    assertThat(buses.tables.count("event_log")).isEqualTo(1);
    assertThat(buses.made().poll(20)).hasSize(9);
    assertThat(ids).hasSize(10);
  }

  @EachDatabase
  void aHandlerThatDoesNotEndIsInterruptedAndItsEventReleased() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    EventBus bus =
        buses.started(
            b ->
                b.handler("A", "quick", buses.recording())
                    .handler(
                        "A",
                        "endless",
                        event -> {
                          running.countDown();
                          try {
                            never.await();
                          } catch (InterruptedException e) {
                            throw new IllegalStateException("in disguise", e);
                          }
                        }));
    long id = bus.publish(Buses.event("A"));
    running.await();
    CloseReport report = bus.close(Duration.ofSeconds(2));
    assertThat(report).isEqualTo(new CloseReport(1, 0, 0));
    Eventually.await("released", () -> "PENDING".equals(buses.tables.event(id).get("status")));
    assertThat(buses.tables.number(id, "failures")).isZero();
    assertThat(buses.tables.event(id)).containsEntry("done_handlers", "quick");
    assertThat(bus.close(Duration.ofSeconds(2))).as("the second time").isEqualTo(report);
  }

  @EachDatabase(DatabaseKind.H2)
  void afterClosingNoThreadIsLeftAndPublishingStillWorks() throws Exception {
    EventBus bus =
        buses.started(b -> b.handler("A", buses.recording()).retention(Duration.ofDays(1)));
    bus.publish(Buses.event("A"));
    Eventually.await("handled", () -> buses.handled.size() == 1);
    bus.close();
    Eventually.await(
        "threads ended",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("eventbus-")));
    long id = bus.publish(Buses.event("A"));
    assertThat(buses.tables.event(id)).containsEntry("status", "PENDING");
  }

  @EachDatabase
  void whatWaitsTooLongForAWorkerIsReleased() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    EventBus stuck =
        buses.claimingAhead(
            b ->
                b.workers(1)
                    .abandonmentTimeout(Buses.SHORT_TIMEOUT)
                    .maxQueueWait(Duration.ofMillis(100))
                    .handler("A", event -> end.await()));
    stuck.publishAll(Collections.nCopies(5, Buses.event("A")));
    Eventually.await("released", () -> stuck.counts().released() > 0);
    end.countDown();
    Eventually.await("logged", () -> buses.tables.count("event_log") == 5);
  }
}
