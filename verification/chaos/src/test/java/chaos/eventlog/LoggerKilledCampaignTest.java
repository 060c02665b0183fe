package chaos.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import chaos.Campaign;
import chaos.Fleet;
import chaos.Life;
import chaos.Signals;
import eventlog.testkit.EventLogServer;
import holdfast.testkit.process.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that logs is killed again and again while its API comes and goes: what was on its disk
 * is delivered, or set aside if the API leaves it out again and again, and a kill repeats one batch
 * at most.
 */
class LoggerKilledCampaignTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Pattern KEY = Pattern.compile("\"idempotencyKey\":\"([^\"]+)\"");
  private static final List<String> FILES =
      List.of("eventlog-spillover.jsonl", "eventlog-spillover.replay.jsonl");

  @TempDir Path directory;
  @TempDir Path signals;

  private void play(int kills, Duration limit) throws InterruptedException {
    Campaign.play(
        "event log, kills",
        limit,
        campaign -> {
          try (EventLogServer api = EventLogServer.start();
              Fleet fleet = Fleet.of(1, (place, name) -> start(api, name))) {
            Set<String> onDisk = new HashSet<>();
            try (Moods moods = Moods.of(api, campaign.chance())) {
              for (int kill = 0; kill < kills; kill++) {
                fleet.awaitMore(0, campaign.between(5, 100), PATIENCE);
                fleet.kill(0);
                onDisk.addAll(keysOnDisk());
                fleet.restart(0);
              }
            }
            new Signals(signals).give(LoggerNode.STOP);
            fleet.awaitLeft(campaign.left());
            audit(api.copies(), onDisk, setAside(kills), fleet, kills);
          }
        });
  }

  private ChildJvm start(EventLogServer api, String name) {
    return ChildJvm.of(
            LoggerNode.class, api.uri().toString(), directory.toString(), signals.toString(), name)
        .jvmOptions("-Xmx128m", "-XX:TieredStopAtLevel=1")
        .start();
  }

  private Set<String> keysOnDisk() throws IOException {
    Set<String> keys = new HashSet<>();
    for (String file : FILES) {
      Path path = directory.resolve(file);
      if (Files.exists(path)) {
        String content = Files.readString(path);
        keys.addAll(keys(content.substring(0, content.lastIndexOf('\n') + 1)));
      }
    }
    return keys;
  }

  private static Set<String> keys(String content) {
    Set<String> keys = new HashSet<>();
    Matcher key = KEY.matcher(content);
    while (key.find()) {
      keys.add(key.group(1));
    }
    return keys;
  }

  private static void audit(
      Map<String, Integer> copies, Set<String> onDisk, Set<String> aside, Fleet fleet, int kills) {
    assertThat(onDisk).as("events on disk when their process was killed").isNotEmpty();
    assertThat(without(without(onDisk, copies.keySet()), aside))
        .as("on disk, and neither delivered nor set aside")
        .isEmpty();

    Set<String> logged = new HashSet<>();
    fleet.lives().forEach(life -> logged.addAll(logged(life)));
    assertThat(without(copies.keySet(), logged)).as("delivered, and never logged").isEmpty();

    int asideAndDelivered = aside.size() - without(aside, copies.keySet()).size();
    int repeats = copies.values().stream().mapToInt(times -> times - 1).sum() + asideAndDelivered;
    assertThat(repeats).as("repeats").isLessThanOrEqualTo(kills * LoggerNode.BATCH);

    Life last = fleet.living().get(0);
    assertThat(without(without(logged(last), copies.keySet()), aside))
        .as("of the last process, told as lost")
        .isEqualTo(lost(last));
    System.out.printf(
        "event log, kills: %d kills, %d logged, %d delivered, %d of them from disk after a kill,"
            + " %d set aside, %d repeats, %s%n",
        kills, logged.size(), copies.size(), onDisk.size(), aside.size(), repeats, ledger(last));
  }

  private static Set<String> without(Set<String> keys, Set<String> others) {
    Set<String> left = new HashSet<>(keys);
    left.removeIf(others::contains);
    return left;
  }

  /**
   * The events that the API has left out of its answers again and again. Beside them only the line
   * is set aside that a kill has torn.
   */
  private Set<String> setAside(int kills) throws IOException {
    Path file = directory.resolve("eventlog-spillover.quarantine.jsonl");
    Set<String> keys = new HashSet<>();
    int torn = 0;
    for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
      if (line.startsWith("{\"reason\":\"torn_line\"")) {
        torn++;
      } else {
        assertThat(line).startsWith("{\"reason\":\"rejected_by_api\",\"problem\":\"left out\"");
        keys.addAll(keys(line));
      }
    }
    assertThat(torn).as("torn lines").isLessThanOrEqualTo(kills);
    return keys;
  }

  private static Set<String> logged(Life life) {
    int count =
        life.lines().stream()
            .filter(line -> line.startsWith(LoggerNode.UP_TO))
            .mapToInt(line -> Integer.parseInt(line.substring(LoggerNode.UP_TO.length())))
            .max()
            .orElse(0);
    Set<String> keys = new HashSet<>();
    for (int number = 0; number < count; number++) {
      keys.add(life.name() + "-" + number);
    }
    return keys;
  }

  private static Set<String> lost(Life life) {
    Set<String> keys = new HashSet<>();
    for (String line : life.lines()) {
      if (line.startsWith(LoggerNode.LOST)) {
        keys.add(line.split(" ")[1]);
      }
    }
    return keys;
  }

  private static String ledger(Life life) {
    return life.lines().stream()
        .filter(line -> line.startsWith(LoggerNode.LEDGER))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatWasOnDiskIsDelivered() throws InterruptedException {
    play(4, Duration.ofMinutes(2));
  }

  @Test
  @Tag("long")
  void whatWasOnDiskIsDeliveredAfterManyKills() throws InterruptedException {
    play(200, Duration.ofMinutes(30));
  }
}
