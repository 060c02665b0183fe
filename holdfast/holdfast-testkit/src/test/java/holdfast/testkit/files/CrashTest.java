package holdfast.testkit.files;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrashTest {

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

  @Test
  void leavesExactlyTheChangesBeforeIt(@TempDir Path parent) throws IOException {
    for (int number = 0; number < Script.LENGTH; number++) {
      Path fresh = Files.createDirectory(parent.resolve("run" + number));
      Script.prepare(fresh);
      FaultyFiles crashing = FaultyFiles.over(fresh);
      crashing.crashAfter(number);

      assertThatThrownBy(() -> Script.run(crashing.root())).isInstanceOf(SimulatedCrash.class);
      assertThat(crashing.crashed()).isTrue();
      assertThat(crashing.operations()).hasSize(number);
      assertThat(Script.stateOf(fresh)).isEqualTo(Script.stateAfter(number));
    }
  }

  @Test
  void doesNotComeBeforeItsChangeIsComplete() throws IOException {
    files.crashAfter(2);
    Files.writeString(file, "all of it");
    assertThat(files.crashed()).isTrue();
    assertThat(directory.resolve("file")).hasContent("all of it");
    assertThatThrownBy(() -> Files.writeString(file, "more"))
        .isInstanceOf(SimulatedCrash.class)
        .hasMessageContaining("after operation 2 WRITE file")
        .hasMessageContaining("FaultyFiles.over");
  }

  @Test
  void endsReadsToo() throws IOException {
    Files.writeString(file, "x");
    BasicFileAttributeView view = Files.getFileAttributeView(file, BasicFileAttributeView.class);
    try (FileChannel channel = FileChannel.open(file, READ)) {
      files.crash();
      assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1)))
          .isInstanceOf(SimulatedCrash.class);
      assertThatThrownBy(channel::size).isInstanceOf(SimulatedCrash.class);
      assertThatThrownBy(channel::tryLock).isInstanceOf(SimulatedCrash.class);
    }
    assertThatThrownBy(view::readAttributes).isInstanceOf(SimulatedCrash.class);
    assertThatThrownBy(() -> Files.readString(file)).isInstanceOf(SimulatedCrash.class);
    assertThatThrownBy(() -> Files.exists(file)).isInstanceOf(SimulatedCrash.class);
    assertThatThrownBy(() -> Files.list(root)).isInstanceOf(SimulatedCrash.class);
    assertThatThrownBy(() -> Files.size(file)).isInstanceOf(SimulatedCrash.class);
    assertThatThrownBy(() -> Files.getFileStore(file)).isInstanceOf(SimulatedCrash.class);
  }

  @Test
  void comesAtOnceWhenThatManyChangesAreDone() throws IOException {
    Files.createFile(file);
    files.crashAfter(1);
    assertThat(files.crashed()).isTrue();
  }

  @Test
  void canTearTheLastWrite() {
    files.shortWriteAt(2, 2);
    files.crashAfter(2);
    assertThatThrownBy(() -> Files.writeString(file, "abcd")).isInstanceOf(IOException.class);
    assertThat(directory.resolve("file")).hasContent("ab");
    assertThatThrownBy(() -> Files.createFile(root.resolve("other")))
        .isInstanceOf(SimulatedCrash.class);
  }

  @Test
  void cannotBeMended() {
    files.crash();
    files.mend();
    assertThatThrownBy(() -> Files.createFile(file)).isInstanceOf(SimulatedCrash.class);
  }

  @Test
  void letsClosingBe() throws IOException {
    FileChannel channel = FileChannel.open(file, CREATE, WRITE);
    files.crash();
    assertThat(channel.isOpen()).isTrue();
    channel.close();
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void givesLocksBackToTheRestartedProcess() throws IOException {
    try (FileChannel channel = FileChannel.open(file, CREATE, WRITE)) {
      FileLock lock = channel.lock();
      files.crash();
      assertThat(lock.isValid()).isFalse();

      Path again = FaultyFiles.over(directory).root().resolve("file");
      try (FileChannel restarted = FileChannel.open(again, WRITE)) {
        assertThat(restarted.tryLock()).isNotNull();
      }
    }
  }

  @Test
  void closesAFileOpenedByTheLastChange() throws IOException {
    files.crashAfter(1);
    try (FileChannel channel = FileChannel.open(file, CREATE, WRITE)) {
      assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(1)))
          .isInstanceOf(SimulatedCrash.class);
    }
  }

  @Test
  void stopsAnotherThreadInTheMiddleOfItsWork() throws Exception {
    CountDownLatch working = new CountDownLatch(1);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<Void> work =
          threads.submit(
              () -> {
                try (FileChannel channel = FileChannel.open(file, CREATE, READ, WRITE)) {
                  while (true) {
                    channel.write(ByteBuffer.allocate(1), 0);
                    channel.read(ByteBuffer.allocate(1), 0);
                    working.countDown();
                  }
                }
              });
      working.await();
      files.crash();
      assertThatThrownBy(work::get).hasCauseInstanceOf(SimulatedCrash.class);
    } finally {
      threads.shutdown();
    }
  }
}
