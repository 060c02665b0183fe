package tracer.perfetto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import holdfast.testkit.disk.SmallDisk;
import holdfast.testkit.files.FaultyFiles;
import holdfast.testkit.files.FileOperation;
import holdfast.testkit.files.Op;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tracer.Tracer;

/** What is recorded is read back, whatever size files may have and whatever the disk does. */
class PerfettoFilesTest extends FilesFixture {

  private static List<Long> range(long from, long to) {
    return LongStream.range(from, to).boxed().toList();
  }

  @Test
  void everyEventComesBackAsItWasRecorded() throws Exception {
    Tracer tracer = started(PerfettoFiles.in(directory));
    tracer.index().record(STEP, 1, Long.MIN_VALUE);
    time.advance(Duration.ofNanos(7));
    tracer.index().record(STEP, Long.MAX_VALUE, -1, 0);
    tracer.detail().record(NOTE, "grüße \"quoted\"\n");
    tracer.detail().record(NOTE, new byte[] {(byte) 0xFF, 0, 1});
    tracer.detail().record(NOTE, new byte[0]);
    tracer.critical().record(CRASH, "why");
    flush(tracer);
    tracer.close();

    List<TraceEntry> entries = new ArrayList<>(entries());
    assertThat(entries).hasSize(6);
    assertThat(entries.get(0).lane()).as("written first").isEqualTo("CRITICAL");
    entries.add(entries.remove(0));
    TraceEntry first = entries.get(0);
    assertThat(first.time()).isEqualTo(SettableTime.START);
    assertThat(first.lane()).isEqualTo("INDEX");
    assertThat(first.name()).isEqualTo("shop.step");
    assertThat(first.thread()).isEqualTo(Thread.currentThread().getId());
    assertThat(first.threadName()).isEqualTo(Thread.currentThread().getName());
    assertThat(first.values()).containsExactly(entry("a", 1L), entry("b", Long.MIN_VALUE));
    assertThat(first.isLoss()).isFalse();
    TraceEntry second = entries.get(1);
    assertThat(second.time()).isEqualTo(SettableTime.START.plusNanos(7));
    assertThat(second.values())
        .containsExactly(entry("a", Long.MAX_VALUE), entry("b", -1L), entry("c", 0L));
    assertThat(entries.subList(2, 6))
        .extracting(found -> found.lane() + found.values())
        .containsExactly(
            "DETAIL{text=grüße \"quoted\"\n}",
            "DETAIL{hex=ff0001}",
            "DETAIL{text=}",
            "CRITICAL{text=why}");
  }

  @Test
  void eventsRecordedBeforeTheStartHaveTheirTime() throws Exception {
    Tracer tracer = tracer(PerfettoFiles.in(directory)).build();
    record(tracer, 0, 1);
    time.advance(Duration.ofMinutes(5));
    tracer.start();
    tracer.close();

    assertThat(entries())
        .singleElement()
        .extracting(TraceEntry::time)
        .isEqualTo(SettableTime.START);
  }

  @Test
  void eventsOfSharedRingsGoToTheirThreadByName() throws Exception {
    Tracer tracer = started(PerfettoFiles.in(directory));
    record(tracer, 0, 1);
    flush(tracer);
    tracer.critical().record(CRASH, "why");
    tracer.close();

    assertThat(entries())
        .extracting(TraceEntry::threadName)
        .containsExactly(Thread.currentThread().getName(), Thread.currentThread().getName());
  }

  @Test
  void longNamesOfThreadsAreCut() throws Exception {
    Tracer tracer = started(PerfettoFiles.in(directory));
    Thread thread = new Thread(() -> record(tracer, 0, 50), "n".repeat(300_000));
    thread.start();
    thread.join();
    tracer.close();

    assertThat(entries()).hasSize(50);
    assertThat(entries().get(0).threadName()).isEqualTo("n".repeat(256));
    assertThat(Files.size(segments().get(0))).isLessThan(20_000);
  }

  @Test
  void droppedEventsLeaveAMark() throws Exception {
    Tracer tracer = tracer(PerfettoFiles.in(directory)).build();
    record(tracer, 0, 500);
    tracer.start();
    tracer.close();

    assertThat(firstValues(entries())).isEqualTo(range(100, 500));
    assertThat(entries().stream().filter(TraceEntry::isLoss))
        .singleElement()
        .satisfies(
            loss ->
                assertThat(loss.values())
                    .containsEntry("count", 100L)
                    .containsEntry("reason", "POOL_EXHAUSTED")
                    .containsEntry("lane", "INDEX")
                    .containsEntry("nanos", 0L));
  }

  @Test
  void aBatchLargerThanAChunkIsCutIntoSeveral() throws Exception {
    Tracer tracer = tracer(PerfettoFiles.in(directory)).peakRate(80_000).build();
    record(tracer, 0, 20_000);
    tracer.start();
    tracer.close();

    assertThat(firstValues(entries())).isEqualTo(range(0, 20_000));
    assertThat(TraceReader.read(segments().get(0), entry -> {}).chunks()).isGreaterThan(2);
  }

  @Test
  void filesAreLimitedInSizeAndInNumber() throws Exception {
    PerfettoFiles files = PerfettoFiles.in(directory).segmentBytes(20_000).totalBytes(100_000);
    Tracer tracer = started(files);
    Files.writeString(directory.resolve("mine.txt"), "x".repeat(200_000));
    for (int i = 0; i < 100; i++) {
      record(tracer, i * 100L, (i + 1) * 100L);
      flush(tracer);
    }
    tracer.close();

    long sum = 0;
    for (Path file : segments()) {
      assertThat(Files.size(file)).isLessThanOrEqualTo(20_000);
      sum += Files.size(file);
    }
    assertThat(sum).isBetween(60_000L, 100_000L);
    assertThat(files.bytesWritten()).isGreaterThan(300_000);
    List<Long> values = firstValues(entries());
    assertThat(values).isEqualTo(range(10_000 - values.size(), 10_000));
    assertThat(directory.resolve("mine.txt")).exists();
  }

  @Test
  void limitsAreChecked() {
    assertThatThrownBy(() -> PerfettoFiles.in(directory).segmentBytes(0))
        .hasMessage("PerfettoFiles: segmentBytes must be 1 or more but was 0");
    assertThatThrownBy(() -> PerfettoFiles.in(directory).totalBytes(-1))
        .hasMessage("PerfettoFiles: totalBytes must be 1 or more but was -1");
    assertThatThrownBy(() -> PerfettoFiles.in(null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void whatADiskDidNotTakeIsWrittenOnceWhenItDoes() throws Exception {
    FaultyFiles disk = FaultyFiles.over(directory);
    Tracer tracer = started(PerfettoFiles.in(disk.root()));
    record(tracer, 0, 10);
    flush(tracer);
    disk.shortWriteAt(disk.operations().size() + 1, 700); // a torn write, and then a full disk
    disk.failWhen(
        op -> op.operation() == FileOperation.WRITE, () -> new IOException("no space left"));
    record(tracer, 10, 200);
    int before = disk.operations().size();
    Eventually.await(
        "it fails again and again",
        () -> {
          time.advance(Duration.ofSeconds(1));
          return disk.operations().size() > before + 4;
        });
    disk.mend();
    Eventually.await(
        "it is written",
        () -> {
          time.advance(Duration.ofSeconds(1));
          return tracer.ledger().held() == 0;
        });
    tracer.close();

    assertThat(firstValues(entries())).isEqualTo(range(0, 200));
    assertThat(tracer.ledger().lost()).isZero();
  }

  @Test
  void aFileWhoseTornEndCannotBeCutOffIsLeftBehind() throws Exception {
    FaultyFiles disk = FaultyFiles.over(directory);
    Tracer tracer = started(PerfettoFiles.in(disk.root()));
    record(tracer, 0, 10);
    flush(tracer);
    disk.shortWriteAt(disk.operations().size() + 1, 700);
    disk.failWhen(op -> op.operation() == FileOperation.TRUNCATE, () -> new IOException("not now"));
    record(tracer, 10, 110);
    Eventually.await(
        "a second file",
        () -> {
          time.advance(Duration.ofSeconds(1));
          return segments().size() == 2;
        });
    disk.mend();
    tracer.close();

    List<TraceEntry> left = new ArrayList<>();
    TraceReader.Report torn = TraceReader.read(segments().get(0), left::add);
    assertThat(torn.truncated()).isTrue();
    List<TraceEntry> written = new ArrayList<>();
    TraceReader.read(segments().get(1), written::add);
    assertThat(firstValues(written)).isEqualTo(range(10, 110));
    // What of the torn write is on the disk is read, too, and so comes twice.
    assertThat(left).hasSizeBetween(10, 30);
    assertThat(firstValues(left)).isEqualTo(range(0, left.size()));
  }

  @Test
  void forcingIsASetting() throws Exception {
    FaultyFiles disk = FaultyFiles.over(directory);
    Tracer tracer = started(PerfettoFiles.in(disk.root()).forced(true));
    record(tracer, 0, 10);
    flush(tracer);

    assertThat(disk.operations()).extracting(op -> op.operation()).contains(FileOperation.FORCE);
    tracer.close();
  }

  @Test
  void segmentsThatAreFullAreForcedToo() throws Exception {
    FaultyFiles files = FaultyFiles.over(directory);
    Tracer tracer = started(PerfettoFiles.in(files.root()).segmentBytes(20_000).forced(true));
    for (int from = 0; from < 2_000; from += 100) {
      record(tracer, from, from + 100);
      flush(tracer);
    }
    List<Path> full = segments().subList(0, segments().size() - 1);
    assertThat(full).isNotEmpty();
    for (Path segment : full) {
      String name = segment.getFileName().toString();
      List<Op> changes =
          files.operations().stream().filter(op -> op.path().endsWith(name)).toList();
      assertThat(changes.get(changes.size() - 1).operation()).isEqualTo(FileOperation.FORCE);
    }
    tracer.close();
  }

  @Test
  void theDirectoryStaysSmallAlsoIfItsLimitIsLessThanASegment() throws Exception {
    Tracer tracer = started(PerfettoFiles.in(directory).totalBytes(40_000));
    for (int from = 0; from < 10_000; from += 100) {
      record(tracer, from, from + 100);
      flush(tracer);
    }
    tracer.close();
    long sum = 0;
    for (Path file : segments()) {
      sum += Files.size(file);
    }
    assertThat(sum).isLessThanOrEqualTo(60_000);
  }

  @Test
  void aFullDiskIsReportedWithTheFileAndTheFix() {
    log.withDetails();
    try (SmallDisk disk = SmallDisk.of(200_000)) {
      disk.fill();
      Tracer tracer = started(PerfettoFiles.in(disk.path()));
      record(tracer, 0, 300);
      Eventually.await("a warning", () -> !log.messages(Level.WARNING).isEmpty());
      assertThat(log.thrown(Level.WARNING).get(0))
          .hasMessageStartingWith("the file %s/trace-".formatted(disk.path()))
          .hasMessageContaining("cannot be written: No space left on device; free space there");

      disk.free();
      tracer.close();
      assertThat(tracer.ledger().isAccountedFor()).isTrue();
    }
  }
}
