package holdfast.files;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.log.Lines;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFilesTest {
  @TempDir Path directory;

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void whatIsMadeIsTheOwnersAlone() throws IOException {
    Path deep = directory.resolve("a/b");
    PrivateFiles.createDirectories(deep);
    PrivateFiles.createDirectories(deep);
    PrivateFiles.open(deep.resolve("created"), CREATE, WRITE).close();
    PrivateFiles.open(deep.resolve("new"), CREATE_NEW, WRITE).close();

    assertThat(permissions(directory.resolve("a"))).isEqualTo("rwx------");
    assertThat(permissions(deep)).isEqualTo("rwx------");
    assertThat(permissions(deep.resolve("created"))).isEqualTo("rw-------");
    assertThat(permissions(deep.resolve("new"))).isEqualTo("rw-------");
  }

  @Test
  void aLinkInThePlaceOfAFileIsNotFollowed() throws IOException {
    Path target = Files.writeString(directory.resolve("target"), "precious");
    Path link = Files.createSymbolicLink(directory.resolve("link"), target);

    assertRefused(link, READ);
    assertRefused(link, CREATE, WRITE, TRUNCATE_EXISTING);
    assertThatThrownBy(() -> PrivateFiles.open(directory.resolve("none"), READ))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> PrivateFiles.open(target, CREATE_NEW, WRITE))
        .isInstanceOf(FileAlreadyExistsException.class);

    assertThat(Files.readString(target)).isEqualTo("precious");
  }

  private static void assertRefused(Path link, StandardOpenOption... options) {
    assertThatThrownBy(() -> PrivateFiles.open(link, options))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("is a symbolic link, and links are not followed");
  }

  @Test
  void aLinkToADirectoryMayBeUsed() throws IOException {
    Path target = Files.createDirectory(directory.resolve("target"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), target);

    PrivateFiles.createDirectories(link);
    PrivateFiles.open(link.resolve("file"), CREATE, WRITE).close();

    assertThat(target.resolve("file")).exists();
  }

  @Test
  void whereThereAreNoPermissionsTheLogSaysSoOnce() throws IOException {
    URI zip = URI.create("jar:" + directory.resolve("files.zip").toUri());
    try (Lines lines = new Lines("holdfast");
        FileSystem files = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
      PrivateFiles.createDirectories(files.getPath("/one"));
      PrivateFiles.createDirectories(files.getPath("/two"));

      assertThat(files.getPath("/two")).isDirectory();
      assertThat(lines.taken())
          .singleElement()
          .asString()
          .contains("cannot keep files to their owner")
          .contains("path=/one");
    }
  }
}
