package tracer;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.files.FaultyFiles;
import holdfast.testkit.files.FileOperation;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import tracer.sink.DataLoss;
import tracer.sink.MemorySink;
import tracer.sink.TraceBatch;
import tracer.sink.TraceSink;

/** The ladder: what a critical event, and a detail event, may take from lower lanes. */
class CrashPriorityTest extends TracerFixture {

  private void fillAll(Tracer tracer) {
    record(tracer, 0, 40);
    note(tracer, 0, 3);
  }

  @Test
  void criticalEventsTakeTheirReserveThenRingsOfIndexThenOfDetailThenTheFile()
      throws InterruptedException, IOException {
    Tracer tracer = stopped();
    fillAll(tracer);
    assertThat(tracer.ledger().lost()).isZero();

    crash(tracer, 0, 2); // their own two rings
    assertThat(tracer.ledger().lost()).isZero();
    crash(tracer, 2, 3); // the three sealed rings of INDEX
    assertThat(lane(tracer, Lane.INDEX).eventsDropped()).isEqualTo(30);
    assertThat(lane(tracer, Lane.DETAIL).eventsDropped()).isZero();
    crash(tracer, 5, 2); // the two sealed rings of DETAIL
    assertThat(lane(tracer, Lane.DETAIL).eventsDropped()).isEqualTo(2);
    assertThat(Files.exists(directory.resolve("emergency.log"))).isFalse();
    crash(tracer, 7, 2); // nothing is left but what writers have in use
    assertThat(Files.readAllLines(directory.resolve("emergency.log")))
        .hasSize(2)
        .allMatch(line -> line.contains("event=test.crash length=" + large(7).length()));

    assertThat(lane(tracer, Lane.CRITICAL).eventsDropped()).isZero();
    assertThat(lane(tracer, Lane.CRITICAL).eventsWritten()).isEqualTo(9);
    tracer.start();
    flush(tracer);
    assertThat(sink.texts(Lane.CRITICAL)).isEqualTo(texts(0, 7));
    assertThat(sink.firstValues(Lane.INDEX)).isEqualTo(range(30, 40));
    assertThat(balanced(tracer).held()).isZero();
  }

  @Test
  void oneCriticalEventWaitsForNoMoreThanTheBatchUnderWay() throws InterruptedException {
    Tracer tracer = started();
    sink.hang();
    record(tracer, 0, 40);
    Eventually.await("a batch is under way", sink::isHanging);
    note(tracer, 0, 3);
    tracer.critical().record(CRASH, "why"); // fills no ring
    sink.goOn();
    flush(tracer);

    List<Lane> order = sink.events().stream().map(MemorySink.Seen::lane).toList();
    assertThat(order).hasSize(44);
    assertThat(order.indexOf(Lane.CRITICAL)).isBetween(0, 10);
  }

  @Test
  void norDoThoseThatComeWhilePartlyFilledRingsAreWritten() throws InterruptedException {
    Tracer tracer = started(settings -> settings.producers(4).peakRate(160));
    for (int i = 0; i < 3; i++) {
      int from = i;
      onAnotherThread(() -> record(tracer, from, 1)); // a ring for each, none is full
    }
    sink.hang();
    Thread flushing = new Thread(() -> flushQuietly(tracer));
    flushing.start();
    Eventually.await("a batch is under way", sink::isHanging);
    tracer.critical().record(CRASH, "why");
    sink.goOn();
    flushing.join();

    List<Lane> order = sink.events().stream().map(MemorySink.Seen::lane).toList();
    assertThat(order).hasSize(4);
    assertThat(order.indexOf(Lane.CRITICAL)).isEqualTo(1);
  }

  private static void flushQuietly(Tracer tracer) {
    try {
      flush(tracer);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void onlyWhenTheFileFailsTooItIsLostAndSaidToBe() {
    List<String> lost = new ArrayList<>();
    Tracer tracer =
        stopped(
            settings ->
                settings
                    .emergencyFile(directory) // cannot be written
                    .lifecycleListener(
                        new TracerLifecycleListener() {
                          @Override
                          public void criticalLost(TraceEvent event, DropReason reason) {
                            lost.add(event.name() + " " + reason.code());
                          }
                        }));
    fillAll(tracer);
    crash(tracer, 0, 7);
    assertThat(tracer.critical().record(CRASH, large(7))).isFalse();

    assertThat(lost).containsExactly("test.crash RING_FULL");
    assertThat(dropped(tracer, Lane.CRITICAL, DropReason.RING_FULL)).isEqualTo(1);
    assertThat(tracer.ledger().isAccountedFor()).isTrue();
  }

  @Test
  void theFileHasTheWholeEventForItsOwnerAlone() throws IOException {
    Tracer tracer = stopped();
    byte[] bytes = new byte[200_000];
    bytes[bytes.length - 1] = 0x5a;
    assertThat(tracer.critical().record(CRASH, bytes)).isTrue(); // larger than any ring

    Path file = directory.resolve("emergency.log");
    assertThat(Files.readString(file))
        .endsWith(" length=200000 bytes=" + "00".repeat(199_999) + "5a\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void anEventBeyondSixteenMebibytesIsLostAndSaidToBe() {
    Tracer tracer = stopped();
    assertThat(tracer.critical().record(CRASH, new byte[16 * 1024 * 1024 + 1])).isFalse();
    assertThat(dropped(tracer, Lane.CRITICAL, DropReason.RING_FULL)).isEqualTo(1);
  }

  @Test
  void aFileThatWasThereIsForItsOwnerAloneToo() throws IOException {
    Path file = Files.createFile(directory.resolve("emergency.log"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertThat(stopped().critical().record(CRASH, "x".repeat(1000))).isTrue();

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void anErrorWhileItIsWrittenCostsOneEvent() {
    FaultyFiles disk = FaultyFiles.over(directory);
    AtomicBoolean failing = new AtomicBoolean(true);
    disk.failWhen(
        op -> {
          if (op.operation() == FileOperation.WRITE && failing.getAndSet(false)) {
            throw new OutOfMemoryError("told to fail");
          }
          return false;
        },
        () -> new IOException("never"));
    Tracer tracer = stopped(settings -> settings.emergencyFile(disk.root().resolve("emergency")));

    assertThat(tracer.critical().record(CRASH, "x".repeat(1000))).isFalse();
    assertThat(tracer.critical().record(CRASH, "x".repeat(1000))).isTrue();
  }

  @Test
  void theFileIsNotWrittenThroughALink() throws IOException {
    Path target = directory.resolve("somebody-elses");
    Files.createSymbolicLink(directory.resolve("emergency.log"), target);
    Tracer tracer = stopped();
    assertThat(tracer.critical().record(CRASH, "x".repeat(1000))).isFalse();
    assertThat(Files.exists(target)).isFalse();
  }

  @Test
  void aThreadThatIsInterruptedLosesNothing() {
    Tracer tracer = stopped();
    Thread.currentThread().interrupt();
    boolean kept = tracer.critical().record(CRASH, "x".repeat(1000));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(kept).isTrue();
    assertThat(tracer.ledger().isAccountedFor()).isTrue();
  }

  @Test
  void afterCloseItIsRefusedAtOnceAndCounted() {
    Tracer tracer = stopped();
    tracer.close();
    assertThat(tracer.critical().record(CRASH, "late")).isFalse();

    assertThat(Files.exists(directory.resolve("emergency.log"))).isFalse();
    assertThat(tracer.ledger().toLine())
        .isEqualTo("tracer accepted=1 delivered=0 held=0 lost=1(RING_FULL=1) unaccounted=0");
  }

  @Test
  void theNameOfAnEventCannotForgeALineOfTheLog() {
    Tracer tracer = stopped(settings -> settings.emergencyFile(directory)); // cannot be written
    TraceEvent hostile = TraceEvent.named("crash\nERROR forged");
    assertThat(tracer.critical().record(hostile, "x".repeat(1000))).isFalse();
    assertThat(log.messages(Level.SEVERE))
        .containsExactly(
            "tracer lost a critical event event=crash\\nERROR forged reason=RING_FULL");
  }

  @Test
  void anErrorOfTheListenerDoesNotReachWhoRecords() {
    Tracer tracer =
        stopped(
            settings ->
                settings
                    .emergencyFile(directory) // cannot be written
                    .lifecycleListener(
                        new TracerLifecycleListener() {
                          @Override
                          public void criticalLost(TraceEvent event, DropReason reason) {
                            throw new LinkageError("told to fail");
                          }
                        }));
    assertThat(tracer.critical().record(CRASH, "x".repeat(1000))).isFalse();
    assertThat(log.messages(Level.WARNING))
        .contains(
            "tracer lifecycle listener failed failures=1"
                + " error=java.lang.LinkageError: told to fail");
  }

  @Test
  void beforeADetailEventIsDroppedEveryIndexRingOutsideItsWritersHandsIsTaken()
      throws InterruptedException {
    Tracer tracer = stopped();
    record(tracer, 0, 40); // three rings sealed, one in use
    note(tracer, 0, 6);

    assertThat(lane(tracer, Lane.INDEX).eventsDropped()).isEqualTo(30);
    assertThat(lane(tracer, Lane.DETAIL).eventsDropped()).isZero();
    note(tracer, 6, 1);
    assertThat(lane(tracer, Lane.DETAIL).eventsDropped()).isEqualTo(1);

    tracer.start();
    flush(tracer);
    assertThat(sink.texts(Lane.DETAIL)).isEqualTo(texts(1, 7));
    // Lent rings have gone home: the lanes have again what they had.
    assertThat(lane(tracer, Lane.INDEX).poolFree()).isEqualTo(3);
    assertThat(lane(tracer, Lane.DETAIL).poolFree()).isEqualTo(2);
  }

  private void crash(Tracer tracer, int from, int count) {
    for (int i = from; i < from + count; i++) {
      assertThat(tracer.critical().record(CRASH, large(i))).isTrue();
    }
  }

  private List<String> texts(int from, int to) {
    return range(from, to).stream().map(i -> large(i.intValue())).toList();
  }

  /** Writes down what it is given, and hangs at the first mark. */
  private static final class HangsAtMarks implements TraceSink {
    final List<String> calls = new CopyOnWriteArrayList<>();
    final CountDownLatch hangs = new CountDownLatch(1);
    final CountDownLatch gate = new CountDownLatch(1);

    @Override
    public void write(TraceBatch batch) {
      calls.add(batch.lane().name());
    }

    @Override
    public void lost(DataLoss loss) throws IOException {
      calls.add("lost");
      hangs.countDown();
      try {
        gate.await();
      } catch (InterruptedException e) {
        throw new IOException("interrupted", e);
      }
    }
  }

  @Test
  void aCriticalEventWaitsForOneMarkOfLostEventsAndNotForAll() throws InterruptedException {
    HangsAtMarks marks = new HangsAtMarks();
    Tracer tracer =
        Tracer.builder(marks)
            .time(time)
            .producers(1)
            .peakRate(40)
            .burstWindow(Duration.ofSeconds(1))
            .largestDetail(LARGEST)
            .captureCrashes(false)
            .registerShutdownHook(false)
            .build();
    for (int i = 0; i < 10; i++) { // losses of two lanes in turns, so they are told apart
      record(tracer, 0, 100);
      note(tracer, 0, 10);
    }
    tracer.start();
    assertThat(marks.hangs.await(30, TimeUnit.SECONDS)).isTrue();
    crash(tracer, 0, 1);
    marks.gate.countDown();
    flush(tracer);
    tracer.close();

    int first = marks.calls.indexOf("lost");
    assertThat(marks.calls.subList(first, marks.calls.size()))
        .startsWith("lost", "CRITICAL", "lost")
        .hasSizeGreaterThan(5);
  }
}
