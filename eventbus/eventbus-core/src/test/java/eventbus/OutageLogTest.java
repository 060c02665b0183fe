package eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** What an hour without the database, and an hour with a failing handler, leave in the log. */
@Timeout(180)
class OutageLogTest extends BusFixture {
  /** The threads that claim, write and watch. */
  private static final int SLEEPERS = 3;

  private static final Duration STEP = Duration.ofSeconds(1);
  private static final int EVENTS = 20;

  private final CapturedLog log = new CapturedLog("eventbus");
  private final SettableTime time = new SettableTime();
  private final AtomicBoolean broken = new AtomicBoolean();
  private final CountDownLatch running = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);

  @AfterEach
  void stopListening() {
    log.close();
  }

  private EventBus started() {
    return buses.started(
        b ->
            b.timeSource(time)
                .pollInterval(STEP)
                .retryPolicy(RetryPolicy.backoff(1_000, STEP, Duration.ofMinutes(1)))
                .handler(
                    "slow",
                    event -> {
                      running.countDown();
                      end.await();
                    })
                .handler(
                    "mail",
                    event -> {
                      if (broken.get()) {
                        throw new IllegalStateException("mail server is down");
                      }
                    })
                .handler(
                    "poison",
                    event -> {
                      throw new NonRetryableException("cannot be read");
                    }));
  }

  /** Lets time pass in steps, here and in the database; before each the node has done its work. */
  private void pass(EventBus bus, Duration duration) throws InterruptedException {
    for (Duration past = Duration.ZERO; past.compareTo(duration) < 0; past = past.plus(STEP)) {
      if (broken.get()) { // failures are written at once, without time passing
        Eventually.await("nothing in flight", () -> bus.inFlight() == 0);
      }
      time.awaitSleepers(SLEEPERS);
      buses.advance(STEP);
      time.advance(STEP);
    }
    time.awaitSleepers(SLEEPERS);
  }

  @EachDatabase(DatabaseKind.H2)
  void anHourOfEachIsAFewLinesWithTheFirstCauseAndTheRecovery() throws Exception {
    EventBus bus = started();
    bus.publish(Buses.event("slow"));
    running.await();
    buses.pool.failOn(call -> true);
    end.countDown();
    pass(bus, Duration.ofHours(1));
    buses.pool.heal();
    pass(bus, Duration.ofSeconds(3));
    awaitLogged(1);
    Eventually.await("over", () -> contains("INFO eventbus database access works again"));
    List<String> outage = log.lines().stream().skip(1).toList(); // the first is of the start
    assertThat(outage).hasSizeBetween(55, 65);
    assertThat(outage.get(0))
        .startsWith("SEVERE eventbus database access failed during=")
        .contains("java.sql.SQLException: ");
    assertThat(log.thrown(Level.SEVERE)).hasSize(1);

    broken.set(true);
    for (int i = 0; i < EVENTS; i++) {
      bus.publish(Buses.event("mail"));
      bus.publish(Buses.event("poison"));
    }
    pass(bus, Duration.ofHours(1));
    broken.set(false);
    Eventually.await(
        "all",
        () -> {
          pass(bus, STEP);
          return buses.tables.count("event_log") == 1 + 2 * EVENTS;
        });
    Eventually.await("again", () -> contains("INFO eventbus handler works again type=mail"));

    List<String> all = log.lines();
    assertThat(all).hasSizeLessThan(200);
    assertThat(all)
        .filteredOn(line -> line.startsWith("WARNING eventbus handler failed type=mail"))
        .singleElement()
        .asString()
        .endsWith("error=java.lang.IllegalStateException: mail server is down");
    assertThat(log.thrown(Level.WARNING)).as("one stack trace for each type").hasSize(2);
    assertThat(all)
        .filteredOn(line -> line.startsWith("WARNING eventbus handler still fails type=mail"))
        .hasSizeBetween(50, 61);
    assertThat(all).filteredOn(line -> line.startsWith("SEVERE eventbus failed")).hasSize(EVENTS);
  }

  private boolean contains(String start) {
    return log.lines().stream().anyMatch(line -> line.startsWith(start));
  }
}
