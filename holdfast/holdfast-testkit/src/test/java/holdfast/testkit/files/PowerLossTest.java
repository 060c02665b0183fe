package holdfast.testkit.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.DSYNC;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PowerLossTest extends PowerLossFixture {

  @Nested
  class Content {

    @Test
    void losesWhatWasAppendedAfterTheLastForce() throws IOException {
      try (FileChannel channel = FileChannel.open(file, APPEND)) {
        write(channel, "ab");
        channel.force(false);
        write(channel, "cd");
        write(channel, "ef");
      }
      assertLeaves(Map.of("file", "0123456789ab"));
    }

    @Test
    void losesWhatWasOverwrittenInPlace() throws IOException {
      try (FileChannel channel = FileChannel.open(file, WRITE)) {
        write(channel, "AB");
        channel.force(false);
        write(channel, "CD");
        channel.write(ByteBuffer.wrap("xyz".getBytes(UTF_8)), 1);
        channel.write(ByteBuffer.wrap("beyond".getBytes(UTF_8)), 8);
      }
      assertThat(directory.resolve("file")).hasContent("Axyz4567beyond");
      assertLeaves(Map.of("file", "AB23456789"));
    }

    @Test
    void bringsBackWhatWasTruncated() throws IOException {
      try (FileChannel channel = FileChannel.open(file, WRITE)) {
        channel.truncate(3);
        channel.position(2);
        write(channel, "abc");
        channel.truncate(4);
        channel.position(4);
        write(channel, "a longer end");
      }
      assertThat(directory.resolve("file")).hasContent("01aba longer end");
      assertLeaves(Map.of("file", "0123456789"));
    }

    @Test
    void bringsBackWhatWasReplacedByOpening() throws IOException {
      Files.writeString(file, "new");
      assertLeaves(Map.of("file", "0123456789"));
    }

    @Test
    void keepsATruncationThatWasForced() throws IOException {
      try (FileChannel channel = FileChannel.open(file, WRITE)) {
        channel.truncate(3);
        channel.force(false);
        channel.truncate(1);
      }
      assertLeaves(Map.of("file", "012"));
    }

    @Test
    void keepsWhatASynchronousChannelWrote() throws IOException {
      try (FileChannel channel = FileChannel.open(file, WRITE, DSYNC)) {
        write(channel, "ab");
      }
      assertLeaves(Map.of("file", "ab23456789"));
    }

    @Test
    void losesAFailedForce() throws IOException {
      files.failWhen(op -> op.operation() == FileOperation.FORCE, () -> new IOException("EIO"));
      assertThatThrownBy(() -> writeForced(file, "ab", APPEND)).hasMessage("EIO");
      assertLeaves(Map.of("file", "0123456789"));
    }

    @Test
    void losesATornWrite() throws IOException {
      files.shortWriteAt(1, 2);
      assertThatThrownBy(() -> writeForced(file, "abcd", WRITE)).isInstanceOf(IOException.class);
      assertThat(directory.resolve("file")).hasContent("ab23456789");
      assertLeaves(Map.of("file", "0123456789"));
    }

    @Test
    void followsAFileToItsNewName() throws IOException {
      try (FileChannel channel = FileChannel.open(file, APPEND)) {
        Files.move(file, root.resolve("moved"));
        write(channel, "ab");
        channel.force(false);
        write(channel, "cd");
      }
      Script.forceDirectory(root);
      assertLeaves(Map.of("moved", "0123456789ab"));
    }
  }

  @Nested
  class WithNamesSpared {

    @Test
    void findsARenamedFileEmptyThatWasNotForced() throws IOException {
      Files.writeString(root.resolve("tmp"), "new");
      Files.move(root.resolve("tmp"), file, ATOMIC_MOVE);
      files.loseUnforcedContent();
      assertThat(Script.stateOf(directory)).isEqualTo(Map.of("file", ""));
    }

    @Test
    void keepsForcedContentAndDeletions() throws IOException {
      Files.createDirectory(root.resolve("below"));
      writeForced(root.resolve("below/x"), "x", CREATE, WRITE);
      Files.delete(file);
      files.loseUnforcedContent();
      assertThat(Script.stateOf(directory))
          .isEqualTo(Map.of("below", "a directory", "below/x", "x"));
    }
  }

  @Test
  void leavesWhatOthersPutThereOrTookAway() throws IOException {
    Files.writeString(file, "changed");
    Files.delete(directory.resolve("file"));
    Files.createDirectory(directory.resolve("theirs"));
    Files.writeString(directory.resolve("theirs/x"), "x");
    assertLeaves(Map.of("theirs", "a directory", "theirs/x", "x"));
  }

  @Test
  void endsTheProcessAndCanBeRepeated() throws IOException {
    Files.writeString(file, "new");
    assertLeaves(Map.of("file", "0123456789"));
    assertThat(files.crashed()).isTrue();
    assertThatThrownBy(() -> Files.readString(file))
        .isInstanceOf(SimulatedCrash.class)
        .hasMessageContaining("by a power loss");
    assertLeaves(Map.of("file", "0123456789"));
  }

  @Test
  void countsAsDurableForTheRestartedProcessWhatWasLeft() throws IOException {
    writeForced(file, "ab", APPEND);
    files.crash();
    files = FaultyFiles.over(directory);
    Files.writeString(files.root().resolve("file"), "lost");
    assertLeaves(Map.of("file", "0123456789ab"));
  }
}
