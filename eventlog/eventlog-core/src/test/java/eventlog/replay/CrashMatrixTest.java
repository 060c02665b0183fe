package eventlog.replay;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.EventLogEntry;
import eventlog.Events;
import eventlog.FakeApi;
import eventlog.ForcePolicy;
import eventlog.send.Admission;
import eventlog.send.EventLogLedger;
import eventlog.send.EventQueue;
import eventlog.send.LifecycleEvents;
import eventlog.send.Pace;
import eventlog.send.Place;
import eventlog.send.Redactor;
import eventlog.send.Requests;
import eventlog.spi.Answer;
import eventlog.spill.Limits;
import eventlog.spill.SpillDirectory;
import eventlog.spill.SpillHome;
import holdfast.breaker.CircuitBreaker;
import holdfast.retry.Backoff;
import holdfast.testkit.files.FaultyFiles;
import holdfast.testkit.files.FileOperation;
import holdfast.testkit.files.Op;
import holdfast.testkit.files.SimulatedCrash;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A crash after every single change that spilling, rotation, progress and replay make to the disk.
 * What was written is delivered or set aside after the restart; what was answered for comes again
 * in one batch at most.
 */
@Timeout(300)
class CrashMatrixTest {
  private static final int BATCH = 3;
  private static final Limits LIMITS = new Limits(10_000, 1 << 20, 1 << 20, 1 << 16);

  @TempDir Path directory;

  private final CapturedLog log = new CapturedLog("eventlog");

  @AfterEach
  void stopListening() {
    log.close();
  }

  /** One process, from its start to its crash or its end. */
  private static final class Life {
    final SettableTime time = new SettableTime();
    final FakeApi api = new FakeApi();
    final List<String> answered = new ArrayList<>();
    final Set<String> written = new HashSet<>();
    final Set<String> forced = new HashSet<>();
    final EventLogLedger ledger = new EventLogLedger(null, () -> 0, Redactor.none());
    final SpillHome home;
    final ReplayPass pass;

    final FaultyFiles files;

    Life(FaultyFiles files) {
      this.files = files;
      home = new SpillHome(files.root(), LIMITS, ledger, time);
      Requests requests =
          new Requests(
              api,
              new Admission(
                  new CircuitBreaker(1000, Duration.ofSeconds(1), time),
                  1,
                  new Pace(new EventQueue(1), BATCH, 1_000_000_000, time),
                  time),
              LifecycleEvents.none());
      pass =
          new ReplayPass(
              requests,
              ledger,
              new ReplayPass.Settings(
                  BATCH,
                  1 << 20,
                  Backoff.exponential(Duration.ofMillis(1), Duration.ofMillis(1)),
                  0,
                  1,
                  ForcePolicy.INTERVAL),
              time.newAlarm(),
              () -> false);
    }

    void append(SpillDirectory target, String prefix, int count) throws IOException {
      List<EventLogEntry> events = Events.events(prefix, count);
      assertThat(target.append(events).refused()).isEmpty();
      written.addAll(Events.keys(events));
    }

    void force(SpillDirectory target) throws IOException {
      Set<String> before = Set.copyOf(written);
      target.force();
      forced.addAll(before);
    }

    /** Takes so many batches, and refuses the poisoned event for good. */
    void takes(int batches) {
      int[] left = {batches};
      api.answers(
          events -> {
            if (files.crashed()) {
              throw new IllegalStateException("the dead send nothing");
            }
            if (Events.keys(events).contains("b-4")) {
              return Answer.rejected("poison");
            }
            if (left[0]-- <= 0) {
              return Answer.later("down", null);
            }
            answered.addAll(Events.keys(events));
            return Answer.delivered();
          });
    }
  }

  /** Spills, rotates, replays half, spills beside the replay file, finishes, starts over. */
  private static void live(Life life) throws IOException, InterruptedException {
    SpillDirectory own = life.home.open();
    life.append(own, "a", 5);
    life.force(own);
    life.append(own, "b", 6);
    life.takes(2);
    life.pass.run(own);
    life.append(own, "c", 2);
    life.takes(1);
    life.pass.run(own);
    life.force(own);
    life.takes(Integer.MAX_VALUE);
    life.pass.run(own);
    life.append(own, "d", 4);
    life.takes(1);
    life.pass.run(own);
    own.close();
  }

  private void check(String what, Consumer<FaultyFiles> fault, Consumer<FaultyFiles> afterwards)
      throws Exception {
    Path place = Files.createTempDirectory(directory, "life");
    FaultyFiles files = FaultyFiles.over(place);
    Life before = new Life(files);
    fault.accept(files);
    boolean crashed = false;
    try {
      live(before);
    } catch (SimulatedCrash | IOException e) {
      crashed = files.crashed();
      assertThat(crashed).as(what + ": " + e).isTrue();
    }
    files.crash(); // if it got to the end, the system takes the locks all the same
    afterwards.accept(files);
    Life after = new Life(FaultyFiles.over(place));
    SpillDirectory own = after.home.open();
    after.takes(Integer.MAX_VALUE);
    assertThat(after.pass.run(own)).as(what).isTrue();
    after.ledger.count(Place.DISK, own::unanswered);
    after.ledger.count(Place.QUARANTINE, own::quarantined);
    assertThat(after.ledger.snapshot().isAccountedFor())
        .as(what + ": " + after.ledger.snapshot().toLine())
        .isTrue();
    assertThat(after.ledger.snapshot().lost()).as(what).isZero();
    verify(what, place, before, after, crashed);
    own.close();
  }

  private static void verify(String what, Path place, Life before, Life after, boolean crashed)
      throws IOException {
    Set<String> safe = new HashSet<>(before.answered);
    safe.addAll(after.answered);
    String quarantine = read(place.resolve("eventlog-spillover.quarantine.jsonl"));
    Set<String> expected = what.startsWith("power") ? before.forced : before.written;
    List<String> missing =
        expected.stream()
            .filter(key -> !safe.contains(key))
            .filter(key -> !quarantine.contains("\"idempotencyKey\":\"" + key + "\""))
            .toList();
    assertThat(missing).as(what + ": lost, crashed " + crashed).isEmpty();
    if (!what.startsWith("power")) {
      long repeated = after.answered.stream().filter(before.answered::contains).count();
      assertThat(repeated).as(what + ": repeated").isLessThanOrEqualTo(BATCH);
    }
    assertThat(after.answered).as(what + ": twice in one life").doesNotHaveDuplicates();
    assertThat(read(place.resolve("eventlog-spillover.jsonl"))).as(what + ": active").isEmpty();
    assertThat(place.resolve("eventlog-spillover.replay.jsonl")).as(what).doesNotExist();
    assertThat(place.resolve("eventlog-spillover.replay.progress")).as(what).doesNotExist();
  }

  private static String read(Path file) throws IOException {
    return Files.exists(file) ? Files.readString(file) : "";
  }

  private List<Op> operations() throws Exception {
    Path place = Files.createTempDirectory(directory, "plain");
    FaultyFiles files = FaultyFiles.over(place);
    live(new Life(files));
    return files.operations();
  }

  @Test
  void everyKindOfChangeIsAmongThoseTried() throws Exception {
    assertThat(operations().stream().map(Op::operation).distinct())
        .contains(
            FileOperation.CREATE,
            FileOperation.WRITE,
            FileOperation.FORCE,
            FileOperation.FORCE_DIRECTORY,
            FileOperation.MOVE,
            FileOperation.DELETE);
  }

  @Test
  void aKillAfterAnyChangeLosesNothingThatWasWritten() throws Exception {
    for (Op op : operations()) {
      check("kill after " + op, files -> files.crashAfter(op.number()), files -> {});
    }
  }

  @Test
  void aKillInTheMiddleOfAnyWriteLosesNothingThatWasWritten() throws Exception {
    for (Op op : operations()) {
      if (op.operation() == FileOperation.WRITE) {
        for (int bytes : new int[] {0, 1, 40, 100, 700}) {
          check(
              "torn at " + bytes + " in " + op,
              files -> {
                files.shortWriteAt(op.number(), bytes);
                files.crashAfter(op.number());
              },
              files -> {});
        }
      }
    }
  }

  @Test
  void aLossOfPowerAfterAnyChangeLosesNothingThatWasForced() throws Exception {
    for (Op op : operations()) {
      check(
          "power lost after " + op,
          files -> files.crashAfter(op.number()),
          FaultyFiles::loseUnforced);
      check(
          "power lost but for names after " + op,
          files -> files.crashAfter(op.number()),
          FaultyFiles::loseUnforcedContent);
    }
  }
}
