package tracer.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.files.FaultyFiles;
import holdfast.testkit.files.FileOperation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tracer.Tracer;

/** Others write to the directory too, and delete from it. */
class SharedDirectoryTest extends FilesFixture {

  private static List<Long> range(long from, long to) {
    return LongStream.range(from, to).boxed().toList();
  }

  @Test
  void aDirectoryThatIsDeletedIsMadeAgain() throws Exception {
    Path inner = Files.createDirectory(directory.resolve("inner"));
    Tracer tracer = started(PerfettoFiles.in(inner));
    record(tracer, 0, 10);
    flush(tracer);
    for (Path file : Segments.list(inner)) {
      Files.delete(file);
    }
    Files.delete(inner);
    record(tracer, 10, 20);
    flush(tracer);
    tracer.close();
    List<TraceEntry> entries = new ArrayList<>();
    for (Path file : Segments.list(inner)) {
      TraceReader.read(file, entries::add);
    }
    assertThat(firstValues(entries)).isEqualTo(range(10, 20));
  }

  @Test
  void twoTracersThatBeginInTheSameMomentHaveFilesOfTheirOwn() throws Exception {
    Tracer one = started(PerfettoFiles.in(directory));
    Tracer other = started(PerfettoFiles.in(directory));
    record(one, 0, 5);
    record(other, 5, 10);
    flush(one);
    flush(other);
    one.close();
    other.close();
    assertThat(segments()).hasSize(2);
    assertThat(firstValues(entries())).containsExactlyInAnyOrderElementsOf(range(0, 10));
  }

  @Test
  void whatWasWrittenLongestAgoIsDeletedFirstWhoeverBeganEarlier() throws Exception {
    Path busy = file("trace-20200101T000000000Z-1-000000.perfetto-trace", Instant.now());
    Path idle = file("trace-20210101T000000000Z-2-000000.perfetto-trace", Instant.EPOCH);
    Tracer tracer = started(PerfettoFiles.in(directory).segmentBytes(20_000).totalBytes(100_000));
    record(tracer, 0, 10);
    tracer.close();

    assertThat(busy).exists();
    assertThat(idle).doesNotExist();
  }

  private Path file(String name, Instant writtenAt) throws IOException {
    Path file = Files.write(directory.resolve(name), new byte[50_000]);
    return Files.setLastModifiedTime(file, FileTime.from(writtenAt));
  }

  @Test
  void aFileThatCannotBeDeletedKeepsNobodyFromWriting() throws Exception {
    Path odd =
        Files.createDirectory(
            directory.resolve("trace-20200101T000000000Z-1-000000.perfetto-trace"));
    Files.write(odd.resolve("inside"), new byte[1]);
    Path old = file("trace-20210101T000000000Z-2-1000000.perfetto-trace", Instant.EPOCH);
    Tracer tracer = started(PerfettoFiles.in(directory).segmentBytes(2_000).totalBytes(4_000));
    record(tracer, 0, 10);
    tracer.close();

    assertThat(tracer.ledger().delivered()).isEqualTo(10);
    assertThat(odd).exists();
    assertThat(old).doesNotExist();
    assertThat(log.messages(Level.WARNING))
        .contains("tracer segment cannot be deleted path=" + odd);
  }

  @Test
  void largeBatchesAreWrittenInSlices() throws Exception {
    FaultyFiles disk = FaultyFiles.over(directory);
    Tracer tracer = tracer(PerfettoFiles.in(disk.root())).peakRate(400_000).build();
    record(tracer, 0, 100_000);
    tracer.start();
    tracer.close();

    assertThat(firstValues(entries())).isEqualTo(range(0, 100_000));
    assertThat(disk.operations().stream().filter(op -> op.operation() == FileOperation.WRITE))
        .hasSizeGreaterThan(3);
  }

  @Test
  void oneSinkIsForOneTracer() throws Exception {
    PerfettoFiles files = PerfettoFiles.in(directory);
    Tracer one = started(files);
    record(one, 0, 5);
    flush(one);
    Tracer other = tracer(files).closeTimeout(Duration.ofMillis(50)).build();
    record(other, 5, 10);
    other.start();
    other.close();
    one.close();

    assertThat(other.ledger().lost()).isEqualTo(5);
    assertThat(firstValues(entries())).isEqualTo(range(0, 5));
  }

  @Test
  void aFileThatIsDeletedInTheMiddleOfAWriteIsWrittenAgain() throws Exception {
    FaultyFiles disk = FaultyFiles.over(directory);
    AtomicBoolean deleting = new AtomicBoolean();
    disk.failWhen(
        op -> {
          if (op.operation() == FileOperation.WRITE && deleting.compareAndSet(true, false)) {
            deleteAll();
          }
          return false;
        },
        () -> new IOException("never"));
    Tracer tracer = started(PerfettoFiles.in(disk.root()));
    record(tracer, 0, 10);
    flush(tracer);
    deleting.set(true);
    record(tracer, 10, 20);
    tracer.close();

    assertThat(firstValues(entries())).isEqualTo(range(10, 20));
    assertThat(tracer.ledger().delivered()).isEqualTo(20);
  }

  private void deleteAll() {
    try {
      for (Path file : segments()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
