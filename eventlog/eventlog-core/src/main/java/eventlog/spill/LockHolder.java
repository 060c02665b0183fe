package eventlog.spill;

import static java.lang.System.Logger.Level.DEBUG;

import eventlog.spi.JsonBuffer;
import holdfast.files.PrivateFiles;
import holdfast.log.LibraryLogger;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Who uses a directory, for people: the lock file has it as a line of JSON. Stateless. */
public final class LockHolder {
  private static final System.Logger LOG = LibraryLogger.of("eventlog");

  private LockHolder() {}

  /**
   * Writes down that this process has the lock. The lock holds without it, so a disk that cannot be
   * written is no reason to fail.
   *
   * @throws IOException if the channel was closed by that, and the lock with it
   */
  static void note(FileChannel channel) throws IOException {
    JsonBuffer json = new JsonBuffer(128);
    json.raw("{\"pid\":".getBytes(StandardCharsets.US_ASCII));
    json.number(ProcessHandle.current().pid());
    String host = System.getenv("HOSTNAME"); // in a container the number alone says little
    if (host != null) {
      json.raw(",\"host\":".getBytes(StandardCharsets.US_ASCII)).text(host);
    }
    json.raw('}').raw('\n');
    try {
      channel.truncate(0);
      SpillFiles.writeFully(channel, ByteBuffer.wrap(json.array(), 0, json.length()), 0);
    } catch (IOException e) {
      if (!channel.isOpen()) {
        throw e;
      }
      LOG.log(DEBUG, "eventlog lock file not written", e);
    }
  }

  /**
   * Who uses a directory now. Must not be asked by a process that may use it itself: closing the
   * lock file would give back its lock.
   *
   * @param files the directory
   * @return what the process wrote about itself, perhaps nothing; null if nobody uses it
   * @throws IOException if the lock file cannot be read
   */
  public static @Nullable String of(SpillFiles files) throws IOException {
    try (FileChannel channel = PrivateFiles.open(files.lock(), StandardOpenOption.READ)) {
      // A process that starts in this very moment takes another directory; nothing is lost by that.
      FileLock free = channel.tryLock(0, Long.MAX_VALUE, true);
      if (free != null) {
        free.release();
        return null;
      }
    } catch (NoSuchFileException e) {
      return null;
    }
    try {
      return Files.readString(files.lock()).strip();
    } catch (IOException e) {
      return ""; // some systems let nobody read what is locked
    }
  }
}
