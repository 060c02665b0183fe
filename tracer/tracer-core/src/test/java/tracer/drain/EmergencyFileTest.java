package tracer.drain;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import holdfast.lifecycle.Deadline;
import holdfast.testkit.disk.SmallDisk;
import holdfast.testkit.files.FaultyFiles;
import holdfast.testkit.files.FileOperation;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whoever waits for a line gets it into the file, however many do. */
@Timeout(60)
class EmergencyFileTest {
  private static final int THREADS = 200;

  @TempDir Path directory;

  private static Deadline soon() {
    return Deadline.after(Duration.ofSeconds(50), TimeSource.system());
  }

  @Test
  void twoHundredThreadsAtOnceAllGetTheirLine() throws Exception {
    Path path = directory.resolve("emergency.log");
    EmergencyFile file = new EmergencyFile(path);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    CountDownLatch ready = new CountDownLatch(THREADS);
    List<Future<Integer>> written = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      String line = "line " + i;
      lines.add(line);
      written.add(
          threads.submit(
              () -> {
                ready.countDown();
                ready.await();
                return file.write((line + "\n").getBytes(UTF_8), soon());
              }));
    }
    for (Future<Integer> one : written) {
      assertThat(one.get()).isEqualTo(1);
    }
    threads.shutdown();
    file.close();

    assertThat(Files.readAllLines(path)).containsExactlyInAnyOrderElementsOf(lines);
  }

  @Test
  void afterTheEndNoneIsTaken() throws IOException {
    Path path = directory.resolve("emergency.log");
    EmergencyFile file = new EmergencyFile(path);
    assertThat(file.write("before\n".getBytes(UTF_8), soon())).isEqualTo(1);
    file.close();
    file.close();

    assertThat(file.write("after\n".getBytes(UTF_8), soon())).isZero();
    assertThat(Files.readAllLines(path)).containsExactly("before");
  }

  @Test
  void aFullDiskKeepsWholeLinesOnly() throws IOException {
    try (SmallDisk disk = SmallDisk.of(100_000)) {
      Path path = disk.path().resolve("emergency.log");
      EmergencyFile file = new EmergencyFile(path);
      List<String> kept = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        String line = i + " " + "x".repeat(15_000);
        if (file.write((line + "\n").getBytes(UTF_8), soon()) == 1) {
          kept.add(line);
        }
      }
      assertThat(kept).hasSizeBetween(4, 7);
      assertThat(Files.readAllLines(path)).isEqualTo(kept);

      assertThat(file.write("short enough\n".getBytes(UTF_8), soon())).isEqualTo(1);
      kept.add("short enough");
      assertThat(Files.readAllLines(path)).isEqualTo(kept);
      file.close();
    }
  }

  @Test
  void ofSeveralLinesThoseAreKeptThatFit() throws IOException {
    try (SmallDisk disk = SmallDisk.of(100_000)) {
      Path path = disk.path().resolve("emergency.log");
      EmergencyFile file = new EmergencyFile(path);
      String line = "x".repeat(999) + "\n";
      int kept = file.write(line.repeat(500).getBytes(UTF_8), soon());

      assertThat(kept).isBetween(80, 110);
      assertThat(Files.readString(path)).isEqualTo(line.repeat(kept));
      file.close();
    }
  }

  @Test
  void aDiskThatTakesNothingIsLeftWithoutAFileAndTakesLinesWhenThereIsRoom() throws IOException {
    try (SmallDisk disk = SmallDisk.of(100_000)) {
      disk.fill();
      Path path = disk.path().resolve("emergency.log");
      EmergencyFile file = new EmergencyFile(path);
      assertThat(file.write("lost\n".getBytes(UTF_8), soon())).isZero();
      assertThat(path).doesNotExist();

      disk.free();
      assertThat(file.write("kept\n".getBytes(UTF_8), soon())).isEqualTo(1);
      assertThat(path).hasContent("kept\n");
      file.close();
    }
  }

  @Test
  void aTornLineThatCannotBeCutOffDoesNotSpoilTheNext() throws IOException {
    FaultyFiles disk = FaultyFiles.over(directory);
    EmergencyFile file = new EmergencyFile(disk.root().resolve("emergency.log"));
    assertThat(file.write("before\n".getBytes(UTF_8), soon())).isEqualTo(1);
    disk.failWhen(op -> op.operation() == FileOperation.TRUNCATE, () -> new IOException("not now"));
    // The permissions are set, then the line is written.
    disk.shortWriteAt(disk.operations().size() + 2, 4);
    assertThat(file.write("torn line\n".getBytes(UTF_8), soon())).isZero();
    disk.mend();
    assertThat(file.write("after\n".getBytes(UTF_8), soon())).isEqualTo(1);
    file.close();

    assertThat(Files.readAllLines(directory.resolve("emergency.log")))
        .containsExactly("before", "torn", "after");
  }
}
