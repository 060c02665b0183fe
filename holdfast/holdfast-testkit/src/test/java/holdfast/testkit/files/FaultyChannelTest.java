package holdfast.testkit.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultyChannelTest {

  @TempDir Path directory;
  private Path root;
  private Path file;
  private Path real;

  @BeforeEach
  void open() {
    root = FaultyFiles.over(directory).root();
    file = root.resolve("file");
    real = directory.resolve("file");
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  @Test
  void readsAndWritesAtItsPositionAndAtOthers() throws IOException {
    try (FileChannel channel = FileChannel.open(file, CREATE, READ, WRITE)) {
      assertThat(channel.write(bytes("hello world"))).isEqualTo(11);
      assertThat(channel.position()).isEqualTo(11);
      assertThat(channel.write(bytes("W"), 6)).isEqualTo(1);
      assertThat(channel.position(0).position()).isZero();
      ByteBuffer five = ByteBuffer.allocate(5);
      assertThat(channel.read(five)).isEqualTo(5);
      assertThat(five.flip()).isEqualTo(bytes("hello"));
      assertThat(channel.read(five.clear(), 6)).isEqualTo(5);
      assertThat(five.flip()).isEqualTo(bytes("World"));
      assertThat(channel.size()).isEqualTo(11);
      assertThat(channel.write(ByteBuffer.allocate(0))).isZero();
      channel.truncate(4).force(true);
    }
    assertThat(real).hasContent("hell");
  }

  @Test
  void leavesTheSourceWhereTheWriteEnded() throws IOException {
    ByteBuffer source = bytes("0123456789").position(2).limit(7);
    try (FileChannel channel = FileChannel.open(file, CREATE, WRITE)) {
      assertThat(channel.write(source)).isEqualTo(5);
    }
    assertThat(source.position()).isEqualTo(7);
    assertThat(source.limit()).isEqualTo(7);
    assertThat(real).hasContent("23456");
  }

  @Test
  void gathersAndScatters() throws IOException {
    try (FileChannel channel = FileChannel.open(file, CREATE, READ, WRITE)) {
      ByteBuffer[] sources = {bytes("skipped"), bytes("ab"), bytes(""), bytes("cde")};
      assertThat(channel.write(sources, 1, 3)).isEqualTo(5);
      assertThat(sources[3].hasRemaining()).isFalse();
      assertThat(sources[0].remaining()).isEqualTo(7);
      channel.position(0);
      ByteBuffer[] targets = {ByteBuffer.allocate(3), ByteBuffer.allocate(2)};
      assertThat(channel.read(targets)).isEqualTo(5);
      assertThat(targets[1].flip()).isEqualTo(bytes("de"));
    }
    assertThat(real).hasContent("abcde");
  }

  @Test
  void appendsAtTheEnd() throws IOException {
    Files.writeString(file, "first");
    try (FileChannel channel = FileChannel.open(file, APPEND)) {
      channel.write(bytes(" second"));
    }
    assertThat(real).hasContent("first second");
    try (FileChannel channel = FileChannel.open(file, WRITE, TRUNCATE_EXISTING)) {
      channel.write(bytes("third"));
    }
    assertThat(real).hasContent("third");
  }

  @Test
  void transfersToAndFromOtherChannels() throws IOException {
    try (FileChannel channel = FileChannel.open(file, CREATE, READ, WRITE)) {
      var source = Channels.newChannel(new ByteArrayInputStream("0123456789".getBytes(UTF_8)));
      assertThat(channel.transferFrom(source, 0, 6)).isEqualTo(6);
      assertThat(channel.transferFrom(source, 100, 1)).isZero();
      var target = new ByteArrayOutputStream();
      assertThat(channel.transferTo(2, 10, Channels.newChannel(target))).isEqualTo(4);
      assertThat(target.toString(UTF_8)).isEqualTo("2345");
    }
  }

  @Test
  void opensADirectoryToForceIt() throws IOException {
    try (FileChannel channel = FileChannel.open(root, READ)) {
      channel.force(true);
    }
  }

  @Test
  void takesRealLocksAndGivesThemBack() throws IOException {
    try (FileChannel channel = FileChannel.open(file, CREATE, WRITE);
        FileChannel other = FileChannel.open(real, WRITE)) {
      FileLock lock = channel.tryLock();
      assertThat(lock.acquiredBy()).isSameAs(channel);
      assertThat(lock.isValid()).isTrue();
      assertThatThrownBy(other::tryLock).isInstanceOf(OverlappingFileLockException.class);
      lock.release();
      assertThat(lock.isValid()).isFalse();
      try (FileLock again = channel.lock(0, 10, false)) {
        assertThat(again.size()).isEqualTo(10);
      }
      try (FileLock theirs = other.lock()) {
        assertThat(theirs.isValid()).isTrue();
      }
    }
  }

  @Test
  void isClosedWhenClosed() throws IOException {
    FileChannel channel = FileChannel.open(file, CREATE, WRITE);
    channel.close();
    assertThat(channel.isOpen()).isFalse();
    assertThatThrownBy(() -> channel.write(bytes("x"))).isInstanceOf(ClosedChannelException.class);
    channel.close();
  }

  @Test
  void isClosedByAnInterruptAsARealOneIs() throws IOException {
    try (FileChannel channel = FileChannel.open(file, CREATE, WRITE)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> channel.write(bytes("x")))
          .isInstanceOf(ClosedByInterruptException.class);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(channel.isOpen()).isFalse();
    }
  }

  @Test
  void staysOpenWhenTheOtherChannelOfATransferIsClosed() throws IOException {
    Files.writeString(file, "x");
    FileChannel closed = FileChannel.open(root.resolve("other"), CREATE, WRITE);
    closed.close();
    try (FileChannel channel = FileChannel.open(file, READ)) {
      assertThatThrownBy(() -> channel.transferTo(0, 1, closed))
          .isInstanceOf(ClosedChannelException.class);
      assertThat(channel.isOpen()).isTrue();
    }
  }

  @Test
  void refusesWhatItWasNotOpenedFor() throws IOException {
    Files.writeString(file, "x");
    try (FileChannel channel = FileChannel.open(file, READ)) {
      assertThatThrownBy(() -> channel.write(bytes("x")))
          .isInstanceOf(NonWritableChannelException.class);
      assertThatThrownBy(() -> channel.truncate(0)).isInstanceOf(NonWritableChannelException.class);
    }
  }

  @Test
  void refusesNegativePlacesAndMapping() throws IOException {
    try (FileChannel channel = FileChannel.open(file, CREATE, READ, WRITE)) {
      assertThatThrownBy(() -> channel.write(bytes("x"), -1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> channel.truncate(-1)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> channel.map(FileChannel.MapMode.READ_ONLY, 0, 1))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("cannot be mapped");
    }
  }
}
