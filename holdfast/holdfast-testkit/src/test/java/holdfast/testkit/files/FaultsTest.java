package holdfast.testkit.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultsTest {

  @TempDir Path directory;
  private FaultyFiles files;
  private Path root;
  private Path file;
  private Path real;

  @BeforeEach
  void open() {
    files = FaultyFiles.over(directory);
    root = files.root();
    file = root.resolve("file");
    real = directory.resolve("file");
  }

  private static IOException noSpace() {
    return new IOException("No space left on device");
  }

  @Nested
  class AChangeThatFails {

    @Test
    void hasNoEffectAndTheNextOneWorks() throws IOException {
      files.failAt(3, FaultsTest::noSpace);
      try (FileChannel channel = FileChannel.open(file, CREATE, WRITE)) {
        channel.write(ByteBuffer.wrap("one ".getBytes(UTF_8)));
        assertThatThrownBy(() -> channel.write(ByteBuffer.wrap("two ".getBytes(UTF_8))))
            .isInstanceOf(IOException.class)
            .hasMessage("No space left on device");
        channel.write(ByteBuffer.wrap("three".getBytes(UTF_8)));
      }
      assertThat(real).hasContent("one three");
      assertThat(files.operations()).hasSize(4);
    }

    @Test
    void canBeAnyOfAScript(@TempDir Path parent) throws IOException {
      for (int number = 1; number <= Script.LENGTH; number++) {
        Path fresh = Files.createDirectory(parent.resolve("run" + number));
        Script.prepare(fresh);
        FaultyFiles failing = FaultyFiles.over(fresh);
        failing.failAt(number, FaultsTest::noSpace);

        assertThatThrownBy(() -> Script.run(failing.root())).hasMessage("No space left on device");
        assertThat(failing.operations()).hasSize(number);
        assertThat(Script.stateOf(fresh)).isEqualTo(Script.stateAfter(number - 1));
      }
    }

    @Test
    void canBeAMoveOrAnAttribute() throws IOException {
      Files.createFile(real);
      files.failAt(1, FaultsTest::noSpace);
      files.failAt(2, FaultsTest::noSpace);
      assertThatThrownBy(() -> Files.move(file, root.resolve("other")))
          .hasMessageContaining("space");
      assertThatThrownBy(() -> Files.setLastModifiedTime(file, Files.getLastModifiedTime(file)))
          .hasMessageContaining("space");
      assertThat(real).exists();
    }

    @Test
    void takesAHalfDoneCopyAway() throws IOException {
      Files.writeString(real, "x".repeat(100_000));
      files.failAt(3, FaultsTest::noSpace);
      assertThatThrownBy(() -> Files.copy(file, root.resolve("copy")))
          .hasMessageContaining("space");
      assertThat(directory.resolve("copy")).doesNotExist();
      assertThat(files.operations().get(3)).hasToString("4 DELETE copy");
    }

    @Test
    void mustBeStillToCome() throws IOException {
      Files.createFile(file);
      assertThatThrownBy(() -> files.failAt(1, FaultsTest::noSpace))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("more than 1");
      assertThatThrownBy(() -> files.shortWriteAt(0, 1))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Nested
  class ACondition {

    @Test
    void failsEveryChangeThatMeetsItUntilMended() throws IOException {
      files.failWhen(op -> op.operation() == FileOperation.WRITE, FaultsTest::noSpace);
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> Files.writeString(file, "x")).hasMessageContaining("No space");
      }
      assertThat(real).isEmptyFile();
      Files.createDirectory(root.resolve("works"));

      files.mend();
      Files.writeString(file, "works too");
      assertThat(real).hasContent("works too");
    }

    @Test
    void canLookAtThePath() throws IOException {
      files.failWhen(op -> op.target().endsWith(".log"), () -> new IOException("bad sector"));
      Files.writeString(file, "x");
      assertThatThrownBy(() -> Files.move(file, root.resolve("a.log"))).hasMessage("bad sector");
      assertThat(real).exists();
    }

    @Test
    void makesANewExceptionEachTime() {
      files.failWhen(op -> true, FaultsTest::noSpace);
      IOException one = catchThrowableOfType(IOException.class, () -> Files.createFile(file));
      IOException two = catchThrowableOfType(IOException.class, () -> Files.createFile(file));
      assertThat(one).isNotNull().isNotSameAs(two);
    }
  }

  @Nested
  class AShortWrite {

    @Test
    void leavesTheFirstBytesAndFails() throws IOException {
      files.shortWriteAt(2, 3);
      assertThatThrownBy(() -> Files.writeString(file, "abcdef"))
          .isInstanceOf(IOException.class)
          .hasMessage("only 3 of 6 bytes of operation 2 WRITE file reached the file, as planned");
      assertThat(real).hasContent("abc");
      Files.writeString(file, "works again");
      assertThat(real).hasContent("works again");
    }

    @Test
    void canLeaveNothingOrAll() throws IOException {
      files.shortWriteAt(2, 0);
      files.shortWriteAt(4, 100);
      assertThatThrownBy(() -> Files.writeString(file, "abc")).hasMessageContaining("only 0 of 3");
      assertThat(real).isEmptyFile();
      assertThatThrownBy(() -> Files.writeString(file, "abc")).hasMessageContaining("only 3 of 3");
      assertThat(real).hasContent("abc");
    }

    @Test
    void tearsAWriteInTheMiddleOfAFile() throws IOException {
      Files.writeString(real, "0123456789");
      files.shortWriteAt(1, 2);
      try (FileChannel channel = FileChannel.open(file, WRITE)) {
        assertThatThrownBy(() -> channel.write(ByteBuffer.wrap("abcd".getBytes(UTF_8)), 3))
            .isInstanceOf(IOException.class);
      }
      assertThat(real).hasContent("012ab56789");
    }

    @Test
    void failsAnotherChangeWhole() throws IOException {
      files.shortWriteAt(1, 3);
      assertThatThrownBy(() -> Files.createFile(file))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("1 CREATE file");
      assertThat(real).doesNotExist();
    }

    @Test
    void refusesFewerThanNoBytes() {
      assertThatThrownBy(() -> files.shortWriteAt(1, -1))
          .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void isForgottenWhenMended() throws IOException {
      files.shortWriteAt(2, 1);
      files.crashAfter(2);
      files.mend();
      Files.writeString(file, "whole");
      assertThat(real).hasContent("whole");
      assertThat(files.crashed()).isFalse();
    }
  }
}
