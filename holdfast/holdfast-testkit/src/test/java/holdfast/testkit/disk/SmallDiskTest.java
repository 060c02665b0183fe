package holdfast.testkit.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SmallDiskTest {

  private static final int PAGE = 4096;

  private SmallDisk disk;

  @BeforeEach
  void mount() {
    disk = SmallDisk.of(64 * PAGE);
  }

  @AfterEach
  void unmount() {
    disk.close();
  }

  private FileChannel openForWriting() throws IOException {
    return FileChannel.open(
        disk.path().resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static boolean isMounted(Path path) throws IOException {
    return Files.readString(Path.of("/proc/mounts")).contains(" " + path + " ");
  }

  @Test
  void isAnEmptyDirectoryOfTheGivenSize() throws IOException {
    assertThat(disk.path()).isEmptyDirectory();
    assertThat(Files.getFileStore(disk.path()).getTotalSpace()).isEqualTo(64 * PAGE);
    assertThat(isMounted(disk.path().getParent())).isTrue();
  }

  @Test
  void isFullByItselfWhenMoreIsWrittenThanFits() throws IOException {
    try (FileChannel file = openForWriting()) {
      ByteBuffer tooMuch = ByteBuffer.allocate(65 * PAGE);
      assertThatThrownBy(
              () -> {
                while (tooMuch.hasRemaining()) {
                  file.write(tooMuch);
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessageContaining("No space left on device");
    }
  }

  @Test
  void refusesToWriteWhenFilledAndAcceptsItWhenFreed() throws IOException {
    try (FileChannel file = openForWriting()) {
      disk.fill();
      assertThatThrownBy(() -> file.write(ByteBuffer.allocate(PAGE)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("No space left on device");

      disk.free();
      assertThat(file.write(ByteBuffer.allocate(PAGE))).isEqualTo(PAGE);
    }
  }

  @Test
  void showsNothingOfWhatFillsIt() {
    disk.fill();
    assertThat(disk.path()).isEmptyDirectory();
  }

  @Test
  void canBeFilledAndFreedAgainAndAgain() throws IOException {
    disk.free();
    disk.fill();
    disk.fill();
    assertThat(Files.getFileStore(disk.path()).getUsableSpace()).isZero();
    disk.free();
    disk.free();
    assertThat(Files.getFileStore(disk.path()).getUsableSpace()).isPositive();
  }

  @Test
  void refusesEveryChangeWhileReadOnly() throws IOException {
    disk.readOnly();
    assertThatThrownBy(this::openForWriting)
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("Read-only file system");

    disk.writable();
    Files.writeString(disk.path().resolve("file"), "works");
    assertThat(disk.path().resolve("file")).hasContent("works");
  }

  @Test
  void cannotBecomeReadOnlyUnderAnOpenFile() throws IOException {
    try (FileChannel file = openForWriting()) {
      assertThatThrownBy(disk::readOnly)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("close what is open on " + disk.path());
      assertThat(file.write(ByteBuffer.allocate(1))).isEqualTo(1);
    }
  }

  @Test
  void leavesNoMountAndNoDirectoryBehind() throws IOException {
    disk.close();
    assertThat(isMounted(disk.path().getParent())).isFalse();
    assertThat(disk.path().getParent()).doesNotExist();
    disk.close();
  }

  @Test
  void isTakenAwayEvenWhileAFileIsOpen() throws IOException {
    try (FileChannel file = openForWriting()) {
      disk.close();
      assertThat(isMounted(disk.path().getParent())).isFalse();
      assertThat(file.isOpen()).isTrue();
    }
  }

  @Test
  void refusesToHaveNoSize() {
    assertThatThrownBy(() -> SmallDisk.of(0).close())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 or more but was 0");
  }
}
