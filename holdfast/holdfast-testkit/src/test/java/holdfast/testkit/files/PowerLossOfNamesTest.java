package holdfast.testkit.files;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PowerLossOfNamesTest extends PowerLossFixture {

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
}
