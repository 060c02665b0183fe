package eventlog.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eventlog.EventLogEntry;
import eventlog.Events;
import eventlog.LossReason;
import eventlog.send.EventLogLedger;
import eventlog.send.Redactor;
import holdfast.testkit.files.FaultyFiles;
import holdfast.testkit.files.FileOperation;
import holdfast.testkit.files.Op;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpillDirectoryTest {
  private static final String ACTIVE = "eventlog-spillover.jsonl";

  @TempDir Path real;

  private final EventLogLedger ledger = new EventLogLedger(null, () -> 0, Redactor.none());
  private final CapturedLog log = new CapturedLog("eventlog");
  private FaultyFiles files;

  @BeforeEach
  void cover() {
    files = FaultyFiles.over(real);
  }

  @AfterEach
  void stopListening() {
    log.close();
  }

  private SpillDirectory open(Limits limits) throws IOException {
    return new SpillHome(files.root(), limits, ledger, new SettableTime()).open();
  }

  private SpillDirectory open() throws IOException {
    return open(new Limits(1000, 1 << 20, 1 << 20, 1 << 16));
  }

  private List<String> lines() throws IOException {
    return Files.readAllLines(real.resolve(ACTIVE));
  }

  @Test
  void whatAFailedWriteLeftIsCutOffBeforeSomethingShorterIsWritten() throws IOException {
    SpillDirectory directory = open();
    directory.append(Events.events("first", 1));
    files.shortWriteAt(files.operations().size() + 1, 1000);
    assertThatThrownBy(() -> directory.append(Events.events("torn", 3)))
        .isInstanceOf(IOException.class);
    assertThat(directory.unanswered()).isEqualTo(1);

    directory.append(Events.events("short", 1));

    assertThat(lines()).hasSize(2);
    assertThat(lines().get(1)).startsWith("{\"seq\":2,").contains("\"short-0\"");
    directory.close();
  }

  @Test
  void whatAFailedWriteLeftIsCutOffAtTheEnd() throws IOException {
    SpillDirectory directory = open();
    directory.append(Events.events("first", 1));
    files.shortWriteAt(files.operations().size() + 1, 1000);
    assertThatThrownBy(() -> directory.append(Events.events("torn", 3)))
        .isInstanceOf(IOException.class);

    directory.close();

    assertThat(lines()).hasSize(1);
  }

  @Test
  void whatAFailedWriteLeftIsCutOffBeforeTheFileIsSent() throws IOException {
    SpillDirectory directory = open();
    directory.append(Events.events("first", 1));
    directory.force();
    files.shortWriteAt(files.operations().size() + 1, 1000);
    assertThatThrownBy(() -> directory.append(Events.events("torn", 3)))
        .isInstanceOf(IOException.class);

    assertThat(directory.rotate()).isTrue();

    assertThat(Files.readAllLines(real.resolve("eventlog-spillover.replay.jsonl"))).hasSize(1);
    directory.close();
  }

  @Test
  void whatComesUpAsProgressJustAfterTheMoveLosesNothing() throws IOException {
    SpillDirectory directory = open();
    directory.append(Events.events("a", 5));
    files.failWhen(this::linksProgressBeforeAMove, () -> new IOException("does not happen"));

    assertThat(directory.rotate()).isTrue();

    assertThat(directory.rotate()).isTrue();
    assertThat(directory.unanswered()).isEqualTo(5);
    assertThat(directory.replayOffset()).isZero();
    assertThat(ledger.snapshot().lost()).isZero();
    directory.close();
  }

  private boolean linksProgressBeforeAMove(Op op) {
    if (op.operation() == FileOperation.MOVE) {
      try {
        Path target = Files.writeString(real.resolve("precious"), "do not touch");
        Files.createSymbolicLink(real.resolve("eventlog-spillover.replay.progress"), target);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return false;
  }

  @Test
  void progressThatCannotBeWrittenIsSaidOnceUntilItCanAgain() throws IOException {
    SpillDirectory directory = open();
    directory.append(Events.events("a", 5));
    directory.rotate();
    files.failWhen(op -> true, () -> new IOException("full"));
    directory.answered(1, 400, false);
    directory.answered(1, 800, false);
    files.mend();
    directory.answered(1, 1200, false);
    files.failWhen(op -> true, () -> new IOException("full again"));
    directory.answered(1, 1600, false);
    files.mend();

    assertThat(log.thrown(Level.WARNING))
        .extracting(Throwable::getMessage)
        .containsExactly("full", "full again");
    directory.close();
  }

  @Test
  void numbersGoOnAfterARestart() throws IOException {
    SpillDirectory before = open();
    before.append(Events.events("a", 2));
    before.rotate();
    before.append(Events.events("b", 1));
    before.close();

    SpillDirectory after = open();
    after.append(Events.events("c", 1));

    assertThat(lines().get(1)).startsWith("{\"seq\":4,").contains("\"c-0\"");
    assertThat(after.unanswered()).isEqualTo(4);
    after.close();
  }

  @Test
  void theProgressOfAnotherFileIsNotBelieved() throws IOException {
    SpillDirectory before = open();
    before.append(Events.events("a", 5));
    before.rotate();
    before.answered(3, 1200, false);
    assertThat(before.replayOffset()).isEqualTo(1200);
    before.close();
    assertThat(offsetAfterRestart()).isEqualTo(1200);

    Path replay = real.resolve("eventlog-spillover.replay.jsonl");
    Files.writeString(replay, Files.readString(replay).replaceFirst("a-0", "x-0"));

    assertThat(offsetAfterRestart()).isZero();
  }

  private long offsetAfterRestart() throws IOException {
    try (SpillDirectory directory = open()) {
      return directory.replayOffset();
    }
  }

  @Test
  void theLimitsCountBothFilesUntilTheyAreAnsweredFor() throws IOException {
    List<EventLogEntry> events = Events.events("e", 3);
    SpillDirectory directory = open(new Limits(4, 1 << 20, 1 << 20, 1 << 16));
    directory.append(events);
    directory.rotate();

    assertThat(directory.append(events).refused())
        .extracting(SpillDirectory.Refused::reason)
        .containsExactly(LossReason.SPILLOVER_MAX_EVENTS, LossReason.SPILLOVER_MAX_EVENTS);
    directory.answered(2, 800, false);
    assertThat(directory.append(events).refused()).hasSize(1);
    directory.close();
  }

  @Test
  void aFullDirectoryIsExactlyAsLargeAsAllowed() throws IOException {
    List<EventLogEntry> events = Events.events("e", 2);
    SpillDirectory measuring = open();
    measuring.append(events);
    long size = measuring.bytes();
    measuring.rotate();
    measuring.finishReplay();
    measuring.close();

    SpillDirectory exact = open(new Limits(1000, size, 1 << 20, 1 << 16));
    assertThat(exact.append(events).refused()).isEmpty();
    assertThat(exact.append(events).refused())
        .allMatch(refused -> refused.reason() == LossReason.SPILLOVER_MAX_SIZE)
        .hasSize(2);
    assertThat(exact.bytes()).isEqualTo(size);
    exact.close();
  }

  @Test
  void theLockFileSaysWhoHasIt() throws IOException {
    SpillDirectory directory = open();

    assertThat(Files.readString(real.resolve("eventlog-spillover.lock")))
        .startsWith("{\"pid\":" + ProcessHandle.current().pid())
        .endsWith("}\n");
    directory.close();
  }

  @Test
  void aLockFileThatCannotBeWrittenLocksAllTheSame() throws IOException {
    files.failWhen(
        op -> op.path().endsWith(".lock") && op.operation() == FileOperation.WRITE,
        () -> new IOException("No space left on device"));

    SpillDirectory directory = open();
    directory.append(Events.events("e", 1));

    assertThat(lines()).hasSize(1);
    SpillDirectory second = open();
    assertThat(second.files().directory().getFileName()).hasToString("process-2");
    second.close();
    directory.close();
  }

  @Test
  void onlyAFreeDirectoryIsOpenedAlone() throws IOException {
    SpillHome home =
        new SpillHome(
            files.root(), new Limits(1000, 1 << 20, 1 << 20, 1 << 16), ledger, new SettableTime());
    SpillDirectory directory = home.openAlone().orElseThrow();

    assertThat(home.openAlone()).isEmpty();
    assertThat(SpillHome.directories(files.root())).hasSize(1);
    directory.close();
    home.openAlone().orElseThrow().close();
  }

  /** Nothing may be written there, as if it were of another user. */
  private void deny(String file) {
    files.failWhen(
        op -> op.path().equals(file) || op.path().startsWith(file + "/"),
        () -> new AccessDeniedException("of another user"));
  }

  @Test
  void aLockFileOfAnotherUserIsTakenForOneInUse() throws IOException {
    deny(SpillFiles.LOCK);

    SpillDirectory directory = open();

    assertThat(directory.files().directory()).isEqualTo(files.root().resolve("process-2"));
    directory.append(Events.events("e", 1));
    assertThat(Files.readAllLines(real.resolve("process-2").resolve(ACTIVE))).hasSize(1);
    assertThat(log.messages(Level.WARNING))
        .singleElement()
        .asString()
        .contains("process-2; run the processes that share a spilloverPath as one user");
    directory.close();
  }

  @Test
  void aDirectoryThatCannotBeWrittenToIsAFailureOfTheDisk() {
    files.failWhen(op -> true, () -> new AccessDeniedException("read-only"));

    assertThatThrownBy(this::open).isInstanceOf(AccessDeniedException.class);
  }

  @Test
  void aDirectoryOfAnotherUserDoesNotKeepThoseOfOthersFromBeingAdopted() throws IOException {
    for (String name : List.of("process-2", "process-3")) {
      Files.createDirectory(real.resolve(name));
      Files.writeString(real.resolve(name).resolve(ACTIVE), "{}\n");
    }
    deny("process-2");
    SpillHome home =
        new SpillHome(
            files.root(), new Limits(1000, 1 << 20, 1 << 20, 1 << 16), ledger, new SettableTime());
    SpillDirectory own = home.open();

    SpillDirectory adopted = home.adopt(own.files().directory()).orElseThrow();

    assertThat(adopted.files().directory()).isEqualTo(files.root().resolve("process-3"));
    assertThat(home.adopt(own.files().directory())).isEmpty();
    assertThat(log.messages(Level.WARNING)) // once
        .singleElement()
        .asString()
        .contains("process-2; let this user read and write it");
    adopted.close();
    own.close();
  }
}
