package holdfast.testkit.files;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With no faults, everything is as on the real directory. */
class OrdinaryFilesTest {

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
  class Contents {

    @Test
    void areWrittenAndReadAsStringsLinesAndBytes() throws IOException {
      Files.writeString(file, "one\ntwo\n");
      assertThat(real).hasContent("one\ntwo\n");
      Files.write(file, List.of("three"), StandardOpenOption.APPEND);
      assertThat(Files.readAllLines(file)).containsExactly("one", "two", "three");
      assertThat(Files.readString(file)).isEqualTo("one\ntwo\nthree\n");
      assertThat(Files.readAllBytes(file)).hasSize(14);
      assertThat(Files.size(file)).isEqualTo(14);
      try (Stream<String> lines = Files.lines(file)) {
        assertThat(lines).hasSize(3);
      }
    }

    @Test
    void areReplacedByDefault() throws IOException {
      Files.writeString(file, "a long text");
      Files.writeString(file, "short");
      assertThat(real).hasContent("short");
    }

    @Test
    void passThroughStreamsAndWriters() throws IOException {
      byte[] bytes = new byte[100_000];
      new Random(3).nextBytes(bytes);
      try (OutputStream out = Files.newOutputStream(file)) {
        out.write(bytes);
      }
      assertThat(real).hasBinaryContent(bytes);
      try (InputStream in = Files.newInputStream(file);
          OutputStream out = Files.newOutputStream(root.resolve("other"))) {
        in.transferTo(out);
      }
      assertThat(directory.resolve("other")).hasBinaryContent(bytes);
      assertThat(Files.mismatch(file, root.resolve("other"))).isEqualTo(-1);
      try (BufferedWriter writer = Files.newBufferedWriter(file)) {
        writer.write("text");
      }
      assertThat(real).hasContent("text");
    }

    @Test
    void comeFromAndGoToOtherFileSystems(@TempDir Path elsewhere) throws IOException {
      Path outside = Files.writeString(elsewhere.resolve("outside"), "from outside");
      Files.copy(outside, file);
      assertThat(real).hasContent("from outside");
      Files.move(file, elsewhere.resolve("back"));
      assertThat(elsewhere.resolve("back")).hasContent("from outside");
      assertThat(real).doesNotExist();
      try (InputStream in = Files.newInputStream(outside)) {
        Files.copy(in, file, REPLACE_EXISTING);
      }
      assertThat(Files.isSameFile(file, outside)).isFalse();
      assertThat(real).hasContent("from outside");
    }
  }

  @Nested
  class Attributes {

    @Test
    void areRead() throws IOException {
      Files.writeString(file, "12345");
      assertThat(Files.exists(file)).isTrue();
      assertThat(Files.notExists(root.resolve("none"))).isTrue();
      assertThat(Files.isRegularFile(file)).isTrue();
      assertThat(Files.isDirectory(root)).isTrue();
      assertThat(Files.isReadable(file)).isTrue();
      assertThat(Files.isHidden(root.resolve(".x"))).isTrue();
      assertThat(Files.isSameFile(file, root.resolve("a/../file"))).isTrue();
      assertThat(Files.readAttributes(file, BasicFileAttributes.class).size()).isEqualTo(5);
      assertThat(Files.readAttributes(file, "size")).containsEntry("size", 5L);
      assertThat(Files.getAttribute(file, "size")).isEqualTo(5L);
      assertThat(Files.getFileStore(file)).isEqualTo(Files.getFileStore(directory));
    }

    @Test
    void areSet() throws IOException {
      Files.writeString(file, "x");
      Files.setLastModifiedTime(file, FileTime.fromMillis(5_000));
      assertThat(Files.getLastModifiedTime(real).toMillis()).isEqualTo(5_000);
      Files.setAttribute(file, "lastModifiedTime", FileTime.fromMillis(6_000));
      assertThat(Files.getLastModifiedTime(file).toMillis()).isEqualTo(6_000);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      assertThatThrownBy(
              () -> Files.setLastModifiedTime(root.resolve("none"), FileTime.fromMillis(1)))
          .isInstanceOf(NoSuchFileException.class);
    }
  }

  @Test
  void whatIsNotOfferedSaysSo() throws IOException {
    Files.writeString(file, "x");
    assertThatThrownBy(() -> Files.createSymbolicLink(root.resolve("l"), file))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> Files.createLink(root.resolve("l"), file))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> AsynchronousFileChannel.open(file).close())
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("use FileChannel");
    assertThatThrownBy(() -> FileChannel.open(file, StandardOpenOption.DELETE_ON_CLOSE).close())
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("Files.delete");
  }

  @Test
  void needsADirectory() {
    assertThatThrownBy(() -> FaultyFiles.over(real))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("existing directory");
  }
}
