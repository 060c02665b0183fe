package eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;

/** Which events workers take, in which order, and how many at a time. */
@Timeout(120)
class WorkersTest extends BusFixture {
  @EachDatabase
  void everyEventIsHandledOnceAndLogged() throws Exception {
    EventBus bus = buses.started(b -> b.handler("A", buses.recording()));
    EventBus other = buses.started(b -> b.handler("A", buses.recording()));
    List<Long> ids = new ArrayList<>(bus.publishAll(Collections.nCopies(300, Buses.event("A"))));
    for (int i = 0; i < 50; i++) {
      ids.add(other.publish(Buses.event("A")));
    }
    awaitLogged(350);
    assertThat(buses.handled).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(buses.tables.loggedIds(EventStatus.COMPLETED))
        .containsExactlyInAnyOrderElementsOf(ids);
    assertThat(buses.tables.eventIds()).isEmpty();
    Eventually.await("let go", () -> bus.inFlight() + other.inFlight() == 0);
    assertThat(bus.counts().completed() + other.counts().completed()).isEqualTo(350);
    assertThat(bus.counts().handled() + other.counts().handled()).isEqualTo(350);
    assertThat(bus.counts().published()).isEqualTo(300);
    bus.close();
    other.close();
    assertThat(buses.pool.out()).isZero();
  }

  @EachDatabase
  void onlyHandlersOfTheTypeGetAnEvent() throws Exception {
    Map<String, Integer> ran = new ConcurrentHashMap<>();
    EventBus bus =
        buses.started(
            b ->
                b.handler("Text", event -> ran.merge("Text:" + event.type(), 1, Integer::sum))
                    .handler("Number", e -> ran.merge("Number:" + e.type(), 1, Integer::sum)));
    bus.publishAll(List.of(Buses.event("Text"), Buses.event("Number"), Buses.event("Text")));
    awaitLogged(3);
    assertThat(ran).containsOnly(Map.entry("Text:Text", 2), Map.entry("Number:Number", 1));
  }

  @EachDatabase
  void whatNobodyHandlesWaitsAndIsCounted() throws Exception {
    EventBus bus = buses.started(b -> b.handler("A", buses.recording()));
    long unknown = bus.publish(Buses.event("B"));
    bus.publish(Buses.event("A"));
    awaitLogged(1);
    assertThat(buses.tables.event(unknown)).containsEntry("status", "PENDING");
    assertThat(buses.tables.number(unknown, "attempts")).isZero();
    assertThat(bus.backlog().unhandled()).isEqualTo(1);
    bus.router().register("B", buses.recording());
    bus.wakeUp();
    awaitLogged(2);
    assertThat(bus.backlog().unhandled()).isZero();
  }

  @EachDatabase
  void aDelayedEventIsHandledSoonAfterItIsDue() throws Exception {
    EventBus bus =
        buses.started(b -> b.pollInterval(Duration.ofHours(1)).handler("A", buses.recording()));
    Eventually.await("asleep", () -> bus.counts().acquired() == 0);
    bus.publish(Event.builder("A").delay(Duration.ofMillis(300)).build());
    awaitLogged(1);
  }

  @EachDatabase
  void moreThanAllowedDoNotRunAtTheSameTime() throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger mostLimited = new AtomicInteger();
    AtomicInteger limited = new AtomicInteger();
    CountDownLatch open = new CountDownLatch(1);
    EventBus bus =
        buses.started(
            b ->
                b.workers(4)
                    .concurrency("limited", 1)
                    .handler(
                        "free",
                        event -> {
                          most.accumulateAndGet(running.incrementAndGet(), Math::max);
                          open.await();
                          running.decrementAndGet();
                        })
                    .handler(
                        "limited",
                        event -> {
                          most.accumulateAndGet(running.incrementAndGet(), Math::max);
                          mostLimited.accumulateAndGet(limited.incrementAndGet(), Math::max);
                          open.await(5, TimeUnit.MILLISECONDS);
                          limited.decrementAndGet();
                          running.decrementAndGet();
                        }));
    bus.publishAll(Collections.nCopies(6, Buses.event("limited")));
    awaitLogged(6);
    assertThat(mostLimited).hasValue(1);
    bus.publishAll(Collections.nCopies(10, Buses.event("free")));
    Eventually.await("all workers busy", () -> running.get() == 4);
    open.countDown();
    awaitLogged(16);
    assertThat(most).hasValue(4);
  }

  @EachDatabase
  void firstPriorityIsHandledFirst() throws Exception {
    EventBus bus = buses.made(b -> b.workers(1).handler("A", buses.recording()));
    long last = bus.publish(Event.builder("A").priority(9).build());
    long middle = bus.publish(Buses.event("A"));
    long first = bus.publish(Event.builder("A").priority(0).build());
    bus.start();
    awaitLogged(3);
    assertThat(buses.handled).containsExactly(first, middle, last);
  }

  @EachDatabase
  void whatThisNodeDidIsCounted() throws Exception {
    SettableTime time = new SettableTime();
    EventBus bus =
        buses.made(
            b ->
                b.workers(1)
                    .timeSource(time)
                    .retryPolicy(RetryPolicy.FAIL_FAST)
                    .handler("slow", event -> time.advance(Duration.ofSeconds(2)))
                    .handler(
                        "bad",
                        event -> {
                          throw new IllegalStateException("no");
                        }));
    bus.publish(Buses.event("slow"));
    bus.publish(Buses.event("bad"));
    bus.start();
    awaitLogged(2);
    Eventually.await("counted", () -> bus.counts().completed() + bus.counts().failed() == 2);
    Counts counts = bus.counts();
    assertThat(counts.published()).isEqualTo(2);
    assertThat(counts.acquired()).isEqualTo(2);
    assertThat(counts.handled()).isEqualTo(2);
    assertThat(counts.completed()).isEqualTo(1);
    assertThat(counts.failed()).isEqualTo(1);
    assertThat(Duration.ofNanos(counts.handlingNanos())).isEqualTo(Duration.ofSeconds(2));
    assertThat(counts.retried() + counts.released() + counts.stale() + counts.lapsed()).isZero();
  }
}
