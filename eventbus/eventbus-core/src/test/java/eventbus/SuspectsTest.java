package eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.threads.Eventually;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;

/** Events whose worker was lost: what counts against them, and who stands before whom. */
@Timeout(120)
class SuspectsTest extends BusFixture {
  /** An event whose worker was lost with it. */
  private long lostEvent() {
    EventBus dead = buses.made();
    long id = dead.publish(Buses.event("A"));
    assertThat(dead.poll()).isPresent();
    buses.advance(Duration.ofMinutes(6));
    return id;
  }

  @EachDatabase
  void aStartThatAnOrderlyStopEndedDoesNotCountAgainstASuspect() throws Exception {
    long id = lostEvent();
    for (int restart = 1; restart <= 3; restart++) {
      CountDownLatch running = new CountDownLatch(1);
      EventBus bus =
          buses.started(
              b ->
                  b.maxLapses(2)
                      .handler(
                          "A",
                          event -> {
                            running.countDown();
                            new CountDownLatch(1).await();
                          }));
      running.await();
      assertThat(buses.tables.number(id, "lapses"))
          .as("1 for the lapse, 1 for the start")
          .isEqualTo(2);
      bus.close(Duration.ofMillis(200));
      Eventually.await("released", () -> "PENDING".equals(buses.tables.event(id).get("status")));
      assertThat(buses.tables.number(id, "lapses")).as("restart " + restart).isEqualTo(1);
    }
    buses.started(b -> b.maxLapses(2).handler("A", buses.recording()));
    Eventually.await("logged", () -> !buses.tables.logged(id).isEmpty());
    assertThat(buses.tables.logged(id)).containsEntry("status", "COMPLETED");
  }

  @EachDatabase
  void partlyDoneItIsReleasedWithoutThatStartToo() throws Exception {
    long id = lostEvent();
    CountDownLatch running = new CountDownLatch(1);
    EventBus bus =
        buses.started(
            b ->
                b.handler("A", "quick", event -> {})
                    .handler(
                        "A",
                        "endless",
                        event -> {
                          running.countDown();
                          new CountDownLatch(1).await();
                        }));
    running.await();
    bus.close(Duration.ofMillis(200));
    Eventually.await("released", () -> "PENDING".equals(buses.tables.event(id).get("status")));
    assertThat(buses.tables.event(id)).containsEntry("done_handlers", "quick");
    assertThat(buses.tables.number(id, "lapses")).isEqualTo(1);
  }

  @EachDatabase
  void releasedByWhoPolledItASuspectIsAsIfItHadNotBeenAcquired() throws Exception {
    EventBus bus = buses.made();
    long id = lostEvent();
    assertThat(bus.poll()).isPresent();
    buses.advance(Duration.ofMinutes(6));
    Event second = bus.poll().orElseThrow();
    int before = second.claim().lapses() - 1;
    bus.release(second);
    assertThat(buses.tables.number(id, "lapses")).isEqualTo(before);
    for (int i = 0; i < 3; i++) {
      bus.release(bus.poll().orElseThrow());
    }
    assertThat(buses.tables.number(id, "lapses")).as("a suspect still").isEqualTo(before);
  }

  @EachDatabase
  void whatStillRunsHereDoesNotStandBeforeOtherSuspects() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    EventBus bus =
        buses.started(
            b ->
                b.handler("A", buses.recording())
                    .handler(
                        "slow",
                        event -> {
                          runs.incrementAndGet();
                          running.countDown();
                          end.await();
                        }));
    long slow = bus.publish(Buses.event("slow"));
    running.await();
    long lost = bus.publish(Event.builder("A").delay(Duration.ofHours(1)).build());
    hold(slow, "2020-01-01 00:00:00"); // its own claim has lapsed, for want of heartbeats
    hold(lost, "2020-01-02 00:00:00");
    bus.wakeUp();
    Eventually.await("the other", () -> buses.handled.contains(lost));
    end.countDown();
    Eventually.await("logged", () -> buses.tables.count("event_log") == 2);
    assertThat(runs).hasValue(1);
    assertThat(bus.counts().stale()).isZero();
  }

  private void hold(long id, String until) throws SQLException {
    buses.tables.update(
        "UPDATE events SET claimed_by = 'dead', status = 'PROCESSING', available_at = TIMESTAMP '"
            + until
            + "' WHERE id = ?",
        id);
  }
}
