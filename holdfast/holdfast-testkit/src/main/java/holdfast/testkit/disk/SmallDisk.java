package holdfast.testkit.disk;

import holdfast.testkit.Unavailable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/**
 * A real file system of a few bytes, which can be full and can be read-only.
 *
 * <p>It lives in memory (tmpfs) and hands out space in whole pages: its size is rounded up to one,
 * and on a full disk a file can still grow to the end of its last page, and empty files can still
 * be made. It needs Linux and the right to mount; elsewhere making one ends the test by {@link
 * Unavailable}. Safe for use by many threads.
 */
public final class SmallDisk implements AutoCloseable {

  private static final int PORTION = 64 * 1024;

  private final Path mount;
  private final Path path;
  private final Path ballast;
  private boolean closed;

  private SmallDisk(Path mount) {
    this.mount = mount;
    this.path = mount.resolve("files");
    // Beside the directory the test sees, so that a full disk lists no file of ours.
    this.ballast = mount.resolve("ballast");
  }

  /**
   * A new, empty disk of the given size.
   *
   * @param bytes 1 or more; rounded up to whole pages
   */
  public static SmallDisk of(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("bytes must be 1 or more but was " + bytes);
    }
    if (!System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux")) {
      throw Unavailable.because("a small disk needs Linux but this is another system");
    }
    try {
      return mounted(Files.createTempDirectory("small-disk"), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("a small disk could not be prepared", e);
    }
  }

  private static SmallDisk mounted(Path mount, long bytes) throws IOException {
    MountCommand.Result result =
        MountCommand.run("mount", "-t", "tmpfs", "-o", "size=" + bytes, "tmpfs", mount.toString());
    if (!result.succeeded()) {
      Files.delete(mount);
      throw Unavailable.because(
          "a small disk needs the right to mount, as root has, but got: " + result.output());
    }
    SmallDisk disk = new SmallDisk(mount);
    Files.createDirectory(disk.path);
    return disk;
  }

  /** The directory of this disk that is the test's own; empty at first. */
  public Path path() {
    return path;
  }

  /** Takes all space that is left, so that the next byte needing a page finds none. */
  public synchronized void fill() {
    ByteBuffer portion = ByteBuffer.allocate(PORTION);
    try (FileChannel channel =
        FileChannel.open(ballast, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (long left = left(); left > 0; left = left()) {
        portion.clear().limit((int) Math.min(left, PORTION));
        channel.write(portion);
      }
    } catch (IOException e) {
      requireFull(e);
    }
  }

  /** Releases the space that {@link #fill()} took; does nothing if it took none. */
  public synchronized void free() {
    try {
      Files.deleteIfExists(ballast);
    } catch (IOException e) {
      throw new UncheckedIOException("the ballast on " + mount + " could not be removed", e);
    }
  }

  /**
   * Refuses every change from now on, until {@link #writable()}.
   *
   * @throws IllegalStateException if the system refuses, as it does while a file is open for
   *     writing
   */
  public synchronized void readOnly() {
    remount("ro");
  }

  /** Accepts changes again. */
  public synchronized void writable() {
    remount("rw");
  }

  /**
   * Takes the disk away, with all that is on it; does nothing the second time.
   *
   * <p>Files that are still open keep working until they are closed, but no path leads to them.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    try {
      unmount();
      Files.delete(mount);
      closed = true;
    } catch (IOException e) {
      throw new UncheckedIOException("the small disk on " + mount + " could not be removed", e);
    }
  }

  private long left() throws IOException {
    return Files.getFileStore(mount).getUsableSpace();
  }

  /** The code under test may take the last page while we fill; full is full, whoever did it. */
  private void requireFull(IOException trouble) {
    try {
      if (left() == 0) {
        return;
      }
    } catch (IOException e) {
      trouble.addSuppressed(e);
    }
    throw new UncheckedIOException("the small disk on " + mount + " could not be filled", trouble);
  }

  private void remount(String mode) {
    require("remounting " + mode, "mount", "-o", "remount," + mode, mount.toString());
  }

  private void unmount() throws IOException {
    if (!MountCommand.run("umount", mount.toString()).succeeded()) {
      // Something is still open on it; the lazy way takes the path away now and the rest later.
      require("unmounting", "umount", "-l", mount.toString());
    }
  }

  private void require(String what, String... command) {
    try {
      MountCommand.Result result = MountCommand.run(command);
      if (!result.succeeded()) {
        throw new IllegalStateException(
            what
                + " needs a disk that nobody is using but got: "
                + result.output()
                + "; close what is open on "
                + path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(what + " the small disk on " + mount + " failed", e);
    }
  }
}
