package holdfast.testkit.files;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NumberingTest {

  @TempDir Path directory;
  private FaultyFiles files;
  private Path root;
  private Path file;

  @BeforeEach
  void open() {
    files = FaultyFiles.over(directory);
    root = files.root();
    file = root.resolve("file");
  }

  private List<String> changes() {
    return files.operations().stream().map(Op::toString).toList();
  }

  @Test
  void countsEachChangeOfAScriptOnce() throws IOException {
    Script.prepare(directory);
    Script.run(root);
    assertThat(changes())
        .hasSize(Script.LENGTH)
        .containsExactly(
            "1 CREATE state.tmp",
            "2 WRITE state.tmp",
            "3 WRITE state.tmp",
            "4 FORCE state.tmp",
            "5 MOVE state.tmp -> state",
            "6 FORCE_DIRECTORY .",
            "7 DELETE done",
            "8 CREATE_DIRECTORY archive",
            "9 FORCE_DIRECTORY .");
  }

  @Test
  void tellsWhatWasDoneAndToWhat() throws IOException {
    Files.createDirectory(root.resolve("a"));
    Files.createFile(root.resolve("a/x"));
    Files.move(root.resolve("a/x"), file);
    assertThat(files.operations())
        .containsExactly(
            new Op(1, FileOperation.CREATE_DIRECTORY, "a", "a"),
            new Op(2, FileOperation.CREATE, "a/x", "a/x"),
            new Op(3, FileOperation.MOVE, "a/x", "file"));
  }

  @Test
  void countsAStringWrittenToANewAndToAnOldFile() throws IOException {
    Files.writeString(file, "one");
    Files.writeString(file, "two");
    Files.writeString(file, "three", APPEND);
    assertThat(changes())
        .containsExactly(
            "1 CREATE file", "2 WRITE file", "3 TRUNCATE file", "4 WRITE file", "5 WRITE file");
  }

  @Test
  void countsAGatheringWriteOnceAndATruncation() throws IOException {
    try (FileChannel channel = FileChannel.open(file, CREATE, WRITE)) {
      channel.write(new ByteBuffer[] {ByteBuffer.allocate(2), ByteBuffer.allocate(3)});
      channel.truncate(1);
    }
    assertThat(changes()).containsExactly("1 CREATE file", "2 WRITE file", "3 TRUNCATE file");
  }

  @Test
  void countsACopyAsItsParts() throws IOException {
    Files.writeString(directory.resolve("file"), "x".repeat(100_000));
    Files.copy(file, root.resolve("copy"), COPY_ATTRIBUTES);
    assertThat(changes())
        .containsExactly(
            "1 CREATE copy", "2 WRITE copy", "3 WRITE copy", "4 CHANGE_ATTRIBUTES copy");
  }

  @Test
  void countsAReplacementThatIsNotAtomicAsTwoChanges() throws IOException {
    Files.writeString(directory.resolve("file"), "new");
    Files.writeString(directory.resolve("old"), "old");
    Files.move(file, root.resolve("old"), REPLACE_EXISTING);
    assertThat(changes()).containsExactly("1 DELETE old", "2 MOVE file -> old");
  }

  @Test
  void countsAttributes() throws IOException {
    Files.createFile(file);
    Files.setLastModifiedTime(file, FileTime.fromMillis(1));
    Files.setAttribute(file, "lastModifiedTime", FileTime.fromMillis(2));
    assertThat(changes())
        .containsExactly("1 CREATE file", "2 CHANGE_ATTRIBUTES file", "3 CHANGE_ATTRIBUTES file");
  }

  @Test
  void countsNoReadsAndNothingThatCannotChangeAnything() throws IOException {
    Files.createDirectories(directory.resolve("a/b"));
    Files.createDirectories(root.resolve("a/b"));
    Files.deleteIfExists(file);
    assertThatThrownBy(() -> Files.delete(root.resolve("a"))).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> Files.createDirectory(root.resolve("a")))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> Files.move(file, root.resolve("b"))).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> Files.createFile(root.resolve("none/file")))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> Files.setLastModifiedTime(file, FileTime.fromMillis(1)))
        .isInstanceOf(IOException.class);
    Files.writeString(directory.resolve("file"), "x");
    assertThatThrownBy(() -> Files.createFile(file)).isInstanceOf(IOException.class);
    assertThat(Files.readString(file)).isEqualTo("x");
    try (FileChannel channel = FileChannel.open(file, READ, WRITE)) {
      channel.write(ByteBuffer.allocate(0));
      channel.read(ByteBuffer.allocate(1));
      channel.lock().release();
    }
    FileChannel.open(file, StandardOpenOption.CREATE, WRITE).close();
    assertThat(changes()).isEmpty();
  }

  @Test
  void numbersTheChangesOfTwoThreadsWithoutGaps() throws Exception {
    CyclicBarrier start = new CyclicBarrier(2);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<Void>> runs =
          List.of(
              threads.submit(() -> append(start, "one")),
              threads.submit(() -> append(start, "two")));
      for (Future<Void> run : runs) {
        run.get();
      }
    } finally {
      threads.shutdown();
    }
    List<Op> operations = files.operations();
    assertThat(operations)
        .extracting(Op::number)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 2 * 501).boxed().toList());
    assertThat(operations).filteredOn(op -> op.path().equals("one")).hasSize(501);
    assertThat(Files.size(directory.resolve("one"))).isEqualTo(500);
    assertThat(Files.size(directory.resolve("two"))).isEqualTo(500);
  }

  private Void append(CyclicBarrier start, String name) throws Exception {
    start.await();
    try (FileChannel channel = FileChannel.open(root.resolve(name), CREATE, WRITE)) {
      for (int i = 0; i < 500; i++) {
        channel.write(ByteBuffer.allocate(1));
      }
    }
    return null;
  }
}
