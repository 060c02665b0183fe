package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.Answer;
import holdfast.ledger.LedgerSnapshot;
import holdfast.testkit.files.FaultyFiles;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The law under random operations: whatever the API, the disk and the clock do, and whenever the
 * logger is closed, every event that was logged is stored by the API, on disk, or lost with a
 * reason that the callback was told; and the ledger say the same.
 */
@Timeout(3600)
class LawTest {
  private static final List<ForcePolicy> POLICIES = List.of(ForcePolicy.values());
  private static final int SHORT = 30;
  private static final int LONG = 3000;
  private static final Pattern KEY = Pattern.compile("\"idempotencyKey\":\"(e-\\d+)\"");

  @TempDir Path directory;

  private final CapturedLog log = new CapturedLog("eventlog");

  @AfterEach
  void stopListening() {
    log.close();
  }

  /** One life of a logger, decided by a seed. */
  private static final class Life {
    final long seed;
    final Random random;
    final Random luck;
    final Path place;
    final FaultyFiles files;
    final SettableTime time = new SettableTime();
    final FakeApi api = new FakeApi();
    final Losses losses = new Losses();
    final List<String> logged = new ArrayList<>();
    final List<String> kept = new ArrayList<>();
    final boolean spills;
    final AsyncEventLogger logger;

    Life(long seed, Path place) {
      this.seed = seed;
      this.random = new Random(seed);
      this.luck = new Random(~seed);
      this.place = place;
      this.files = FaultyFiles.over(place);
      this.spills = random.nextInt(4) > 0;
      this.logger =
          AsyncEventLogger.builder()
              .client(api)
              .eventLossCallback(losses)
              .time(time)
              .spilloverPath(spills ? files.root() : null)
              .queueCapacity(1 + random.nextInt(40))
              .batchSize(1 + random.nextInt(8))
              .maxBatchWait(Duration.ofMillis(random.nextInt(2) * 50L))
              .senderThreads(1 + random.nextInt(3))
              .maxRetries(random.nextInt(3))
              .baseRetryDelay(Duration.ofMillis(100))
              .maxRetryDelay(Duration.ofSeconds(1))
              .circuitBreakerThreshold(1 + random.nextInt(5))
              .circuitBreakerReset(Duration.ofSeconds(1))
              .replayIntervalMs(500)
              .maxSpilloverEvents(20 + random.nextInt(200))
              .maxSpilloverSizeBytes(10_000 + random.nextInt(100_000))
              .maxQuarantineSizeBytes(random.nextInt(3000))
              .maxEntryBytes(1000)
              .forcePolicy(POLICIES.get(random.nextInt(POLICIES.size())))
              .forceInterval(Duration.ofMillis(100))
              .closeTimeout(Duration.ofMillis(random.nextInt(2) * 200L))
              .registerShutdownHook(false)
              .build();
    }

    void operate() {
      switch (random.nextInt(14)) {
        case 0 -> api.isUp();
        case 1 -> api.isDown();
        case 2 -> api.answers(this::moody);
        case 3 -> files.failWhen(op -> luckyIn(3), () -> new IOException("no space left"));
        case 4 -> files.mend();
        case 5, 6 -> time.advance(Duration.ofMillis(random.nextInt(1500)));
        case 7 -> {
          for (int i = 0; i < 50; i++) {
            log();
          }
        }
        case 8 -> checkNow();
        default -> log();
      }
    }

    private void log() {
      String key = "e-" + logged.size();
      EventLogEntryBuilder event = Events.builder(key);
      if (random.nextInt(30) == 0) {
        event.requestPayload("x".repeat(2000));
      }
      logged.add(key);
      if (logger.log(event.build())) {
        kept.add(key);
      }
    }

    private Answer moody(List<EventLogEntry> events) throws IOException {
      int mood;
      synchronized (luck) {
        mood = luck.nextInt(8);
      }
      return switch (mood) {
        case 0 -> Answer.later("busy", Duration.ofMillis(300));
        case 1 -> Answer.partly(List.of(new Answer.Failure(0, "not this one")));
        case 2 -> Answer.rejected("bad");
        case 3 -> Answer.broken("401");
        case 4 -> throw new IOException("reset");
        default -> Answer.delivered();
      };
    }

    private boolean luckyIn(int chances) {
      synchronized (luck) {
        return luck.nextInt(chances) == 0;
      }
    }

    /** At any moment: no more out than in. */
    private void checkNow() {
      LedgerSnapshot ledger = logger.ledger();
      assertThat(ledger.delivered() + ledger.lost())
          .as("seed %d: %s", seed, ledger.toLine())
          .isLessThanOrEqualTo(ledger.accepted() + ledger.recoveredAtStartup());
      assertThat(ledger.accepted()).as(ledger.toLine()).isLessThanOrEqualTo(logged.size());
    }

    void run() throws IOException {
      int operations = 30 + random.nextInt(120);
      for (int i = 0; i < operations; i++) {
        operate();
      }
      if (random.nextInt(3) > 0) {
        files.mend();
      }
      logger.shutdown();
      check();
    }

    private void check() throws IOException {
      LedgerSnapshot ledger = logger.ledger();
      String what = "seed " + seed + ": " + ledger.toLine();
      assertThat(ledger.isAccountedFor()).as(what).isTrue();
      assertThat(ledger.accepted()).as(what).isEqualTo(logged.size());
      Set<String> lost = new HashSet<>();
      for (String told : losses.told()) {
        assertThat(lost.add(told.substring(0, told.indexOf(' ')))).as(what + told).isTrue();
      }
      assertThat(ledger.lost()).as(what).isEqualTo(lost.size());
      Set<String> found = new HashSet<>(api.stored());
      found.addAll(onDisk());
      found.addAll(lost);
      assertThat(found).as(what).containsExactlyInAnyOrderElementsOf(logged);
      assertThat(lost.stream().filter(key -> !kept.contains(key)).count())
          .as(what + ": false means lost at once")
          .isEqualTo(logged.size() - kept.size());
      assertThat(ledger.heldByPlace().keySet())
          .as(what)
          .containsExactly("queue", "sending", "retry", "spilling", "disk", "quarantine");
      ledger.heldByPlace().entrySet().stream()
          .filter(place -> !place.getKey().equals("disk") && !place.getKey().equals("quarantine"))
          .forEach(place -> assertThat(place.getValue()).as(what).isZero());
    }

    private Set<String> onDisk() throws IOException {
      Set<String> keys = new HashSet<>();
      for (String name : List.of("", ".replay", ".quarantine")) {
        Path file = place.resolve("eventlog-spillover" + name + ".jsonl");
        if (Files.exists(file)) {
          Matcher matcher = KEY.matcher(Files.readString(file));
          while (matcher.find()) {
            keys.add(matcher.group(1));
          }
        }
      }
      return keys;
    }
  }

  private void live(long first, int count) throws IOException {
    for (long seed = first; seed < first + count; seed++) {
      Path place = Files.createDirectory(directory.resolve("seed-" + seed));
      Life life = new Life(seed, place);
      try {
        life.run();
      } catch (RuntimeException | AssertionError e) {
        life.logger.shutdown();
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  @Test
  void whateverHappensNothingVanishes() throws IOException {
    live(0, SHORT);
  }

  @Test
  @Tag("long")
  void whateverHappensNothingVanishesInThousandsOfLives() throws IOException {
    live(System.nanoTime(), LONG);
  }
}
