package holdfast.testkit.files;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With no faults, everything is as on the real directory. */
class OrdinaryDirectoriesTest {

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

  @Nested
  class Entries {

    @Test
    void areCreatedOnce() throws IOException {
      Files.createFile(file);
      assertThat(real).isEmptyFile();
      assertThatThrownBy(() -> Files.createFile(file))
          .isInstanceOf(FileAlreadyExistsException.class);
      Files.createDirectory(root.resolve("below"));
      assertThatThrownBy(() -> Files.createDirectory(root.resolve("below")))
          .isInstanceOf(FileAlreadyExistsException.class);
      Files.createDirectories(root.resolve("below/deep/er"));
      Files.createDirectories(root.resolve("below/deep/er"));
      assertThat(directory.resolve("below/deep/er")).isDirectory();
      assertThat(Files.createTempFile(root, "a", "b")).exists();
    }

    @Test
    void cannotBeCreatedNowhere() {
      Path nowhere = root.resolve("none/file");
      assertThatThrownBy(() -> Files.writeString(nowhere, "x"))
          .isInstanceOf(NoSuchFileException.class);
      assertThatThrownBy(() -> Files.createDirectory(nowhere))
          .isInstanceOf(NoSuchFileException.class);
      assertThatThrownBy(() -> FileChannel.open(file, StandardOpenOption.WRITE))
          .isInstanceOf(NoSuchFileException.class);
      assertThatThrownBy(() -> Files.readString(file)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void areListedAndWalked() throws IOException {
      Files.createDirectories(root.resolve("a/b"));
      Files.writeString(root.resolve("a/b/c"), "c");
      Files.writeString(root.resolve("d.log"), "d");
      try (Stream<Path> list = Files.list(root)) {
        assertThat(list).containsExactlyInAnyOrder(root.resolve("a"), root.resolve("d.log"));
      }
      try (Stream<Path> walk = Files.walk(root)) {
        assertThat(walk.map(Path::toString))
            .containsExactlyInAnyOrder("/", "/a", "/a/b", "/a/b/c", "/d.log");
      }
      try (DirectoryStream<Path> logs = Files.newDirectoryStream(root, "*.log")) {
        assertThat(logs).containsExactly(root.resolve("d.log"));
        assertThatThrownBy(logs::iterator).isInstanceOf(IllegalStateException.class);
      }
      try (Stream<Path> list = Files.list(root.getFileSystem().getPath("a"))) {
        assertThat(list.map(Path::toString)).containsExactly("a/b");
      }
    }

    @Test
    void areDeleted() throws IOException {
      Files.createDirectories(root.resolve("a/b"));
      assertThatThrownBy(() -> Files.delete(root.resolve("a")))
          .isInstanceOf(DirectoryNotEmptyException.class);
      Files.delete(root.resolve("a/b"));
      assertThat(Files.deleteIfExists(root.resolve("a"))).isTrue();
      assertThat(Files.deleteIfExists(root.resolve("a"))).isFalse();
      assertThatThrownBy(() -> Files.delete(file)).isInstanceOf(NoSuchFileException.class);
      assertThat(directory).isEmptyDirectory();
    }

    @Test
    void doNotIncludeTheRootItself() throws IOException {
      Files.writeString(file, "x");
      assertThatThrownBy(() -> Files.delete(root)).isInstanceOf(FileSystemException.class);
      assertThatThrownBy(() -> Files.move(root, root.resolve("x")))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining("the root stands for the real directory");
      assertThatThrownBy(() -> Files.move(file, root, REPLACE_EXISTING))
          .isInstanceOf(FileSystemException.class);
    }
  }

  @Nested
  class MovesAndCopies {

    @Test
    void moveFilesAndDirectories() throws IOException {
      Files.createDirectory(root.resolve("a"));
      Files.writeString(root.resolve("a/x"), "x");
      Files.move(root.resolve("a"), root.resolve("b"));
      Files.move(root.resolve("b/x"), file, ATOMIC_MOVE);
      assertThat(real).hasContent("x");
      assertThat(directory.resolve("a")).doesNotExist();
      Files.move(file, file);
      assertThat(real).hasContent("x");
      assertThatThrownBy(() -> Files.move(root.resolve("none"), file))
          .isInstanceOf(NoSuchFileException.class);
      assertThatThrownBy(() -> Files.move(file, root.resolve("none/file")))
          .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void replaceOnlyWhenAsked() throws IOException {
      Files.writeString(file, "new");
      Path old = Files.writeString(root.resolve("old"), "old");
      assertThatThrownBy(() -> Files.move(file, old))
          .isInstanceOf(FileAlreadyExistsException.class);
      assertThatThrownBy(() -> Files.copy(file, old))
          .isInstanceOf(FileAlreadyExistsException.class);
      Files.copy(file, old, REPLACE_EXISTING);
      assertThat(directory.resolve("old")).hasContent("new");
      Files.writeString(file, "newer");
      Files.move(file, old, REPLACE_EXISTING);
      assertThat(directory.resolve("old")).hasContent("newer");
      Files.writeString(file, "newest");
      Files.move(file, old, ATOMIC_MOVE);
      assertThat(directory.resolve("old")).hasContent("newest");
    }

    @Test
    void copyContentsDirectoriesAndTimes() throws IOException {
      byte[] bytes = new byte[200_000];
      new Random(5).nextBytes(bytes);
      Files.write(file, bytes);
      Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
      Files.copy(file, root.resolve("copy"), COPY_ATTRIBUTES);
      assertThat(directory.resolve("copy")).hasBinaryContent(bytes);
      assertThat(Files.getLastModifiedTime(directory.resolve("copy")).toMillis())
          .isEqualTo(1_000_000);
      Files.createDirectory(root.resolve("a"));
      Files.copy(root.resolve("a"), root.resolve("b"));
      assertThat(directory.resolve("b")).isEmptyDirectory();
      Files.copy(file, file);
      assertThatThrownBy(() -> Files.copy(file, root.resolve("c"), ATOMIC_MOVE))
          .isInstanceOf(UnsupportedOperationException.class);
    }
  }
}
