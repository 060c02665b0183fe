package tracer.perfetto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import holdfast.testkit.disk.SmallDisk;
import holdfast.testkit.process.ChildJvm;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import tracer.TraceSpan;
import tracer.Tracer;
import tracer.sink.TracePhase;

/** What a flight recorder dumps are trace files, each of which can be read by itself. */
class DumpsTest extends FilesFixture {

  private Tracer recorder(PerfettoFiles files) {
    Tracer tracer = tracer(files).keepLast(Duration.ofMinutes(1)).build();
    tracer.start();
    return tracer;
  }

  private static List<TraceEntry> read(Path file) throws IOException {
    List<TraceEntry> entries = new ArrayList<>();
    assertThat(TraceReader.read(file, entries::add).damagedBytes()).isZero();
    return entries;
  }

  @Test
  void aDumpIsAFileOfItsOwn() throws Exception {
    Path elsewhere = directory.resolve("new/dump.perfetto-trace");
    Path traces = directory.resolve("traces");
    Tracer tracer = recorder(PerfettoFiles.in(traces));
    record(tracer, 0, 150);
    assertThat(tracer.dump(elsewhere, "asked for").events()).isEqualTo(151);
    record(tracer, 150, 160);
    Path named = tracer.dump("named by the sink").file();
    tracer.close();

    assertThat(firstValues(read(elsewhere))).containsExactlyElementsOf(range(0, 150));
    assertThat(read(elsewhere)).anyMatch(entry -> "asked for".equals(entry.values().get("text")));
    assertThat(Files.getPosixFilePermissions(elsewhere))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(named.getParent()).isEqualTo(traces);
    assertThat(named.getFileName().toString()).startsWith("dump-").endsWith(".perfetto-trace");
    assertThat(firstValues(read(named))).containsExactlyElementsOf(range(150, 160));
    assertThat(Segments.list(traces)).as("nothing was left to dump").containsExactly(named);
  }

  @Test
  void dumpsThatAreJoinedAreOneTrace() throws Exception {
    Tracer tracer = recorder(PerfettoFiles.in(directory));
    record(tracer, 0, 10);
    Path first = tracer.dump("first").file();
    record(tracer, 10, 20);
    Path second = tracer.dump("second").file();
    tracer.close();

    Path joined = directory.resolve("joined");
    try (OutputStream out = Files.newOutputStream(joined)) {
      Files.copy(first, out);
      Files.copy(second, out);
    }
    assertThat(firstValues(read(joined))).containsExactlyElementsOf(range(0, 20));
  }

  @Test
  void aSpanThatIsOpenEndsInTheDumpAndGoesOnInTheNext() throws Exception {
    Tracer tracer = recorder(PerfettoFiles.in(directory));
    Path first;
    Path second;
    try (TraceSpan span = tracer.index().span(STEP, 7)) {
      time.advance(Duration.ofSeconds(1));
      record(tracer, 0, 1);
      first = tracer.dump("first").file();
      time.advance(Duration.ofSeconds(1));
      record(tracer, 1, 2);
    }
    second = tracer.dump("second").file();
    tracer.close();

    for (Path file : List.of(first, second)) {
      assertThat(read(file))
          .filteredOn(entry -> entry.name().equals(STEP.name()))
          .extracting(TraceEntry::phase)
          .as("%s", file)
          .containsExactly(TracePhase.BEGIN, TracePhase.INSTANT, TracePhase.END);
    }
  }

  @Test
  void aFileThatIsThereIsNotOverwrittenAndNothingIsLost() throws Exception {
    Path file = Files.writeString(directory.resolve("precious"), "mine");
    Tracer tracer = recorder(PerfettoFiles.in(directory));
    record(tracer, 0, 10);
    assertThatThrownBy(() -> tracer.dump(file, "test"))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "the dump failed: the file %s exists already, and a dump overwrites no file; name another"
                .formatted(file))
        .hasRootCauseInstanceOf(FileAlreadyExistsException.class);
    assertThat(file).hasContent("mine");

    assertThat(firstValues(read(tracer.dump("again").file())))
        .containsExactlyElementsOf(range(0, 10));
    tracer.close();
    assertThat(tracer.ledger().isAccountedFor()).isTrue();
  }

  @Test
  void aNameThatNoFileCanHaveIsNoFaultOfTheDirectory() throws Exception {
    Path file = directory.resolve("x".repeat(300));
    Tracer tracer = recorder(PerfettoFiles.in(directory));
    assertThatThrownBy(() -> tracer.dump(file, "test"))
        .hasMessageContaining("the file %s cannot be made".formatted(file))
        .hasMessageEndingWith("File name too long; name another file");
    tracer.close();
  }

  @Test
  void aDumpForWhichTheDiskHasNoRoomLeavesNoFileAndLosesNothing() throws Exception {
    try (SmallDisk disk = SmallDisk.of(200_000)) {
      disk.fill();
      Tracer tracer = recorder(PerfettoFiles.in(disk.path()));
      record(tracer, 0, 300);
      Path file = disk.path().resolve("dump.perfetto-trace");
      assertThatThrownBy(() -> tracer.dump(file, "first"))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "the dump failed: the file %s cannot be written: No space left on device;"
                      .formatted(file)
                  + " free space there, or take another directory with PerfettoFiles.in(...)");
      assertThatThrownBy(() -> tracer.dump("second"))
          .hasMessageContaining("No space left on device");
      assertThat(disk.path()).isEmptyDirectory();

      disk.free();
      tracer.dump(file, "third");
      assertThat(firstValues(read(file))).containsExactlyElementsOf(range(0, 300));
      tracer.close();
      assertThat(tracer.ledger().lost()).isZero();
    }
  }

  @Test
  void aDumpThatTheDiskTakesAPartOfIsWholeUpToThereAndTheNextHasTheOthers() throws Exception {
    try (SmallDisk disk = SmallDisk.of(16_000)) {
      Tracer tracer = recorder(PerfettoFiles.in(directory));
      record(tracer, 0, 350); // four rings
      Path first = disk.path().resolve("first");
      assertThatThrownBy(() -> tracer.dump(first, "too large"))
          .hasMessageContaining(
              "the file %s cannot be written: No space left on device; free space there"
                  .formatted(first))
          .hasMessageContaining("; 201 events were written before and are in " + first);
      int written = firstValues(read(first)).size();
      assertThat(written).isEqualTo(200);
      Path second = tracer.dump("the others").file();
      tracer.close();

      assertThat(firstValues(read(first))).containsExactlyElementsOf(range(0, written));
      assertThat(firstValues(read(second))).containsExactlyElementsOf(range(written, 350));
      assertThat(tracer.ledger().lost()).isZero();
    }
  }

  @Test
  void aDumpIntoADirectoryThatCannotBeMadeLeavesNothingAndLosesNothing() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "mine");
    Path traces = directory.resolve("traces");
    Tracer tracer = recorder(PerfettoFiles.in(traces));
    record(tracer, 0, 10);
    assertThatThrownBy(() -> tracer.dump(file.resolve("dump.perfetto-trace"), "test"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the directory %s for the dump must be writable".formatted(file))
        .hasMessageContaining("name a file in another one");
    assertThat(file).hasContent("mine");

    Path again = tracer.dump("again").file();
    assertThat(traces.toFile().listFiles()).containsExactly(again.toFile());
    assertThat(firstValues(read(again))).containsExactlyElementsOf(range(0, 10));
    tracer.close();
  }

  @Test
  void aDirectoryThatCannotBeUsedIsReportedAtTheStartAndWhenItWorksAgain() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "mine");
    Path traces = file.resolve("traces");
    log.withDetails();
    Tracer tracer = recorder(PerfettoFiles.in(traces));
    Eventually.await("a warning", () -> !log.messages(Level.WARNING).isEmpty());
    assertThat(log.thrown(Level.WARNING))
        .singleElement()
        .extracting(Throwable::getMessage)
        .asString()
        .contains("the trace directory %s must be writable but is not".formatted(traces))
        .contains("make it a directory that this process may write to");

    Files.delete(file);
    Eventually.await(
        "it works again",
        () -> {
          time.advance(Duration.ofSeconds(1));
          return log.messages(Level.INFO).toString().contains("tracer sink works again");
        });
    assertThat(log.messages(Level.WARNING)).as("said once").hasSize(1);
    tracer.close();
  }

  @Test
  void closingDoesNotWaitForADirectoryThatCannotBeUsedWhenNothingIsInMemory() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    Tracer tracer = recorder(PerfettoFiles.in(file));
    assertTimeout(Duration.ofSeconds(10), () -> tracer.close(Duration.ofSeconds(20)));
    assertThat(log.messages(Level.WARNING)).hasSize(1);
  }

  @Test
  void aDirectoryOnAReadOnlyDiskIsReportedAtTheStart() {
    try (SmallDisk disk = SmallDisk.of(200_000)) {
      disk.readOnly();
      PerfettoFiles files = PerfettoFiles.in(disk.path());
      assertThatThrownBy(files::checkDumps)
          .hasMessageContaining("the trace directory %s must be writable".formatted(disk.path()));
    }
  }

  @Test
  void dumpsBesideTheTracesAreKeptSmallTogether() throws Exception {
    PerfettoFiles files = PerfettoFiles.in(directory).segmentBytes(5_000).totalBytes(40_000);
    Tracer tracer = recorder(files);
    List<Path> dumps = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      record(tracer, 0, 100);
      dumps.add(tracer.dump("dump " + i).file());
    }
    tracer.close();

    long bytes = 0;
    for (Path file : segments()) {
      bytes += Files.size(file);
    }
    assertThat(bytes).isBetween(10_000L, 50_000L);
    assertThat(segments()).contains(dumps.get(19)).doesNotContain(dumps.get(0));
  }

  /** A program that ends, or is told to, with events in memory. */
  static final class Program {
    public static void main(String[] args) throws InterruptedException {
      Tracer tracer =
          Tracer.builder(PerfettoFiles.in(Path.of(args[0])))
              .keepLast(Duration.ofMinutes(1))
              .build();
      tracer.start();
      FilesFixture.record(tracer, 0, 10);
      System.out.println("recorded");
      if (args.length > 1) {
        throw new IllegalStateException("the end of it");
      }
      Thread.currentThread().join();
    }
  }

  @Test
  void theEndOfTheJvmDumps() throws Exception {
    try (ChildJvm child = ChildJvm.of(Program.class, directory.toString()).start()) {
      child.awaitLine("recorded"::equals, Duration.ofSeconds(30));
      assertThat(segments()).as("nothing is written meanwhile").isEmpty();
      child.terminate(Duration.ofSeconds(30));
    }
    assertThat(firstValues(entries())).containsExactlyElementsOf(range(0, 10));
    assertThat(entries()).anyMatch(entry -> entry.name().equals("tracer.shutdown"));
  }

  @Test
  void anUncaughtExceptionDumps() throws Exception {
    try (ChildJvm child = ChildJvm.of(Program.class, directory.toString(), "fail").start()) {
      assertThat(child.awaitExit(Duration.ofSeconds(30))).isEqualTo(1);
    }
    assertThat(firstValues(entries())).containsExactlyElementsOf(range(0, 10));
    assertThat(entries())
        .anyMatch(entry -> entry.name().equals("tracer.uncaught"))
        .anyMatch(entry -> entry.name().equals("tracer.dump"));
  }

  private static List<Long> range(long from, long to) {
    return java.util.stream.LongStream.range(from, to).boxed().toList();
  }
}
