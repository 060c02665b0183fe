package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.jdbc.WakeUp;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import outbox.dispatch.LeaseSettings;
import outbox.memory.Gate;
import outbox.model.EventStatus;

/**
 * What an hour without its database leaves in the log of a whole node, as applications build it.
 */
@Timeout(180)
class OutageHourTest {
  /** Poller, status writer, watch and retention. */
  private static final int SLEEPERS = 4;

  private static final Duration STEP = Duration.ofSeconds(1);

  private final CapturedLog log = new CapturedLog("outbox");
  private final SettableTime time = new SettableTime();
  private final AtomicReference<Duration> passed = new AtomicReference<>(Duration.ZERO);
  private final Gate gate = new Gate();

  @AfterEach
  void stopListening() {
    log.close();
  }

  /** Lets time pass in steps, here and in the database; before each the node has done its work. */
  private void pass(Duration duration) throws InterruptedException {
    for (Duration past = Duration.ZERO; past.compareTo(duration) < 0; past = past.plus(STEP)) {
      time.awaitSleepers(SLEEPERS);
      passed.updateAndGet(before -> before.plus(STEP));
      time.advance(STEP);
    }
    time.awaitSleepers(SLEEPERS);
  }

  @EachDatabase(DatabaseKind.H2)
  void isAFewLinesWithTheFirstCauseAndTheRecovery(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.timeSource(time)
                      .clockOffset(passed::get)
                      .lease(LeaseSettings.of("shop-1"))
                      .pollInterval(Duration.ofSeconds(5))
                      .retention(Duration.ofMinutes(10))
                      .wakeUp(WakeUp.ON)
                      .listener("Slow", gate)
                      .listener("Made", nodes.recording()));
      String slow = Nodes.publish(node, Nodes.event("Slow"));
      gate.awaitEntered();
      nodes.pool.failOn(call -> true);
      gate.open();
      pass(Duration.ofHours(1));
      nodes.pool.heal();
      Eventually.await(
          "over",
          () -> {
            pass(STEP);
            return nodes.table.status(slow) == EventStatus.DONE && isLogged("works again");
          });
      String after = Nodes.publish(node, Nodes.event("Made"));
      Eventually.await("delivered", () -> nodes.delivered.contains(after));
      List<String> outage = log.lines().stream().skip(1).toList(); // the first is of the start
      assertThat(outage).hasSizeBetween(55, 75);
      assertThat(outage.stream().filter(line -> !isOfWakeUp(line)).findFirst())
          .get(InstanceOfAssertFactories.STRING)
          .startsWith("SEVERE outbox database access failed during=")
          .contains("java.sql.SQLException: ");
      assertThat(log.thrown(Level.SEVERE)).as("one stack trace").hasSize(1);
    }
  }

  /** Of a thread of its own, which may see the outage first. */
  private static boolean isOfWakeUp(String line) {
    return line.startsWith("INFO outbox is not woken by other nodes for now");
  }

  private boolean isLogged(String words) {
    return log.lines().stream()
        .anyMatch(line -> line.startsWith("INFO outbox database access " + words));
  }
}
