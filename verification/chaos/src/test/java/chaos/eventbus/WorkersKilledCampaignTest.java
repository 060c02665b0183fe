package chaos.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import chaos.Campaign;
import chaos.Fleet;
import chaos.Life;
import chaos.Signals;
import chaos.Span;
import eventbus.Event;
import eventbus.EventBus;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.process.ChildJvm;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Of four worker processes one is killed every second: nothing is lost, nothing is closed twice,
 * each repeated run has its kill.
 */
class WorkersKilledCampaignTest {
  private static final int NODES = 4;
  private static final Duration BETWEEN_KILLS = Duration.ofSeconds(1);

  @TempDir Path signals;

  /**
   * Plays until everything is closed, however many kills that takes, or until so many came.
   *
   * @param perKill how many events are published after each kill, beside half of them before
   */
  private void play(int events, int perKill, int mostKills, Duration limit) throws Exception {
    Campaign.play(
        "four workers, one killed every second",
        limit,
        campaign -> {
          try (TestDatabase database = TestDatabase.open(DatabaseKind.POSTGRESQL)) {
            EventBus bus = EventBus.builder(database.dataSource()).createTables().build();
            Journal journal = Journal.begin(database);
            try (Fleet fleet = Fleet.of(NODES, (place, name) -> launch(database, name))) {
              List<Long> ids = new ArrayList<>(publish(bus, events / 2));
              Random chance = campaign.chance();
              Alarm alarm = TimeSource.system().newAlarm();
              while (fleet.kills() < mostKills && bus.ledger().delivered() < events) {
                alarm.await(BETWEEN_KILLS);
                ids.addAll(publish(bus, Math.min(perKill, events - ids.size())));
                killOne(campaign, fleet, chance);
              }
              ids.addAll(publish(bus, events - ids.size()));
              campaign.await(
                  "every event is closed",
                  () -> bus.ledger().delivered() < events ? bus.ledger().toString() : "");
              new Signals(signals).give(BusNode.LEAVE);
              fleet.awaitReady();
              fleet.awaitLeft(campaign.left());
              Account account = account(ids, journal, fleet.lives());
              System.out.println("four workers, one killed every second: " + account.figures());
              assertThat(account.problems()).isEmpty();
              assertThat(account.takeovers()).as("kills in the middle of work").isPositive();
              assertThat(bus.ledger().toLine())
                  .isEqualTo(
                      "eventbus accepted=%1$d delivered=%1$d held=0 lost=0 unaccounted=0"
                          .formatted(events));
            }
          }
        });
  }

  private static List<Long> publish(EventBus bus, int events) {
    return events == 0
        ? List.of()
        : bus.publishAll(Collections.nCopies(events, Event.of("T", "{}")));
  }

  private ChildJvm launch(TestDatabase database, String name) {
    return ChildJvm.of(
            BusNode.class,
            database.url(),
            database.user(),
            database.password(),
            name,
            signals.toString())
        .jvmOptions(
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dslf4j.internal.verbosity=ERROR")
        .start();
  }

  /** Kills a node that works, and starts it again without waiting for it. */
  private static void killOne(Campaign campaign, Fleet fleet, Random chance) throws Exception {
    campaign.await("a node works", () -> fleet.ready().isEmpty() ? "all of them" : "");
    List<Integer> ready = fleet.ready();
    int place = ready.get(chance.nextInt(ready.size()));
    fleet.kill(place);
    fleet.launch(place);
  }

  private static Account account(List<Long> ids, Journal journal, List<Life> lives)
      throws SQLException {
    List<Run> runs = new ArrayList<>();
    Map<String, Span> kills = new HashMap<>();
    for (Life life : lives) {
      life.lines().stream()
          .filter(Run::isOne)
          .forEach(line -> runs.add(Run.parse(life.name(), line)));
      Span killed = life.killed();
      if (killed != null) {
        kills.put(life.name(), killed);
      }
    }
    return new Account(
        new TreeSet<>(ids), runs, journal.changes(), journal.closings(), kills, BusNode.TIMEOUT);
  }

  @Test
  void nothingIsLostOrClosedTwiceAndEveryRepeatHasItsKill() throws Exception {
    play(3_000, 375, 4, Duration.ofMinutes(2));
  }

  @Test
  @Tag("long")
  void nothingIsLostOrClosedTwiceInManyKills() throws Exception {
    play(20_000, 250, Integer.MAX_VALUE, Duration.ofMinutes(15));
  }
}
