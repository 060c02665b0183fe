package holdfast.testkit.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
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
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PowerLossTest {

  @TempDir Path directory;
  private FaultyFiles files;
  private Path root;
  private Path file;

  @BeforeEach
  void open() throws IOException {
    Files.writeString(directory.resolve("file"), "0123456789");
    files = FaultyFiles.over(directory);
    root = files.root();
    file = root.resolve("file");
  }

  private static void write(FileChannel channel, String text) throws IOException {
    channel.write(ByteBuffer.wrap(text.getBytes(UTF_8)));
  }

  private static void writeForced(Path path, String text, OpenOption... options)
      throws IOException {
    try (FileChannel channel = FileChannel.open(path, options)) {
      write(channel, text);
      channel.force(true);
    }
  }

  private void assertLeaves(Map<String, String> expected) throws IOException {
    files.loseUnforced();
    assertThat(Script.stateOf(directory)).isEqualTo(expected);
  }

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
  class Names {

    @Test
    void losesAFileWhoseDirectoryWasNotForced() throws IOException {
      writeForced(root.resolve("new"), "forced", CREATE, WRITE);
      assertLeaves(Map.of("file", "0123456789"));
    }

    @Test
    void keepsAnEmptyFileWhenOnlyTheDirectoryWasForced() throws IOException {
      Files.writeString(root.resolve("new"), "not forced");
      Script.forceDirectory(root);
      assertLeaves(Map.of("file", "0123456789", "new", ""));
    }

    @Test
    void keepsAFileWhenBothWereForced() throws IOException {
      writeForced(root.resolve("new"), "forced", CREATE, WRITE);
      Script.forceDirectory(root);
      assertLeaves(Map.of("file", "0123456789", "new", "forced"));
    }

    @Test
    void undoesARenameAndADeletion() throws IOException {
      Files.writeString(directory.resolve("other"), "other");
      Files.move(file, root.resolve("renamed"));
      Files.delete(root.resolve("other"));
      assertLeaves(Map.of("file", "0123456789", "other", "other"));
    }

    @Test
    void bringsADeletedFileBackAsItWasForced() throws IOException {
      try (FileChannel channel = FileChannel.open(file, WRITE)) {
        write(channel, "lost");
      }
      Files.delete(file);
      Files.writeString(file, "another file of that name");
      assertLeaves(Map.of("file", "0123456789"));
    }

    @Test
    void keepsARenameAndADeletionThatWereForced() throws IOException {
      Files.writeString(directory.resolve("other"), "other");
      Files.move(file, root.resolve("renamed"));
      Files.delete(root.resolve("other"));
      Script.forceDirectory(root);
      assertLeaves(Map.of("renamed", "0123456789"));
    }

    @Test
    void bringsBackWhatWasReplaced() throws IOException {
      writeForced(root.resolve("tmp"), "new", CREATE, WRITE);
      Files.move(root.resolve("tmp"), file, ATOMIC_MOVE);
      assertThat(directory.resolve("file")).hasContent("new");
      assertLeaves(Map.of("file", "0123456789"));
    }

    @Test
    void canLoseBothWhenADeletionWasForcedBeforeTheMove() throws IOException {
      writeForced(root.resolve("tmp"), "new", CREATE, WRITE);
      Files.delete(file);
      Script.forceDirectory(root);
      Files.move(root.resolve("tmp"), file, REPLACE_EXISTING);
      assertLeaves(Map.of("tmp", "new"));
    }

    @Test
    void undoesAnExchangeOfTwoNames() throws IOException {
      Files.writeString(directory.resolve("other"), "other");
      Files.move(file, root.resolve("tmp"));
      Files.move(root.resolve("other"), file);
      Files.move(root.resolve("tmp"), root.resolve("other"));
      assertThat(directory.resolve("file")).hasContent("other");
      assertLeaves(Map.of("file", "0123456789", "other", "other"));
    }

    @Test
    void canBeLostAtEveryStepOfAScript(@TempDir Path parent) throws IOException {
      for (int number = 0; number <= Script.LENGTH; number++) {
        Path fresh = Files.createDirectory(parent.resolve("run" + number));
        Script.prepare(fresh);
        FaultyFiles crashing = FaultyFiles.over(fresh);
        crashing.crashAfter(number);
        try {
          Script.run(crashing.root());
        } catch (SimulatedCrash expected) {
          assertThat(crashing.operations()).hasSize(number);
        }
        crashing.loseUnforced();

        int durable = number < 6 ? 0 : number < 9 ? 6 : 9;
        assertThat(Script.stateOf(fresh)).isEqualTo(Script.stateAfter(durable));
      }
    }
  }

  @Nested
  class Directories {

    @Test
    void losesADirectoryWithAllThatWasForcedInIt() throws IOException {
      Files.createDirectory(root.resolve("below"));
      writeForced(root.resolve("below/x"), "x", CREATE, WRITE);
      Script.forceDirectory(root.resolve("below"));
      assertLeaves(Map.of("file", "0123456789"));
    }

    @Test
    void keepsWhatEveryDirectoryOnTheWayWasForcedFor() throws IOException {
      Files.createDirectory(root.resolve("below"));
      writeForced(root.resolve("below/x"), "x", CREATE, WRITE);
      Files.createFile(root.resolve("below/y"));
      Script.forceDirectory(root);
      assertLeaves(Map.of("file", "0123456789", "below", "a directory"));
    }

    @Test
    void undoesAMoveBetweenDirectoriesAndBringsDirectoriesBack() throws IOException {
      Files.createDirectories(directory.resolve("a/deep"));
      Files.writeString(directory.resolve("a/deep/x"), "x");
      Files.move(root.resolve("a/deep/x"), root.resolve("x"));
      Files.delete(root.resolve("a/deep"));
      Files.move(root.resolve("a"), root.resolve("b"));
      assertLeaves(
          Map.of(
              "file", "0123456789", "a", "a directory", "a/deep", "a directory", "a/deep/x", "x"));
    }

    @Test
    void keepsAMoveBetweenDirectoriesWhenEitherIsForced() throws IOException {
      Files.createDirectory(directory.resolve("a"));
      Files.writeString(directory.resolve("a/file"), "to be replaced");
      Files.move(file, root.resolve("a/file"), ATOMIC_MOVE);
      Script.forceDirectory(root);
      assertLeaves(Map.of("a", "a directory", "a/file", "0123456789"));
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
