package eventlog.spill;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The right to use a directory, held by one logger of one process at a time. The system takes it
 * back when the process ends, however it ends. Safe for use by many threads.
 */
final class DirectoryLock implements AutoCloseable {
  /*
   * Closing any channel of a file gives back all locks that the process has on it. So a lock file
   * that this process holds must not be opened a second time, and one that turns out to be held by
   * another class loader must stay open.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();
  private static final Queue<FileChannel> KEPT_OPEN = new ConcurrentLinkedQueue<>();

  private Path key;
  private FileChannel channel;

  private DirectoryLock(Path key, FileChannel channel) {
    this.key = key;
    this.channel = channel;
  }

  /**
   * Locks a directory.
   *
   * @param files an existing directory
   * @return empty if somebody else has it
   */
  static Optional<DirectoryLock> tryAcquire(SpillFiles files) throws IOException {
    Path key = files.directory().toRealPath().resolve(SpillFiles.LOCK);
    if (!HELD.add(key)) {
      return Optional.empty();
    }
    boolean locked = false;
    try {
      Optional<DirectoryLock> lock = open(key);
      locked = lock.isPresent();
      return lock;
    } finally {
      if (!locked) {
        HELD.remove(key);
      }
    }
  }

  private static Optional<DirectoryLock> open(Path key) throws IOException {
    FileChannel channel =
        FileChannel.open(key, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        LockHolder.note(channel);
        return Optional.of(new DirectoryLock(key, channel));
      }
      channel.close();
    } catch (OverlappingFileLockException e) {
      KEPT_OPEN.add(channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    return Optional.empty();
  }

  /**
   * Locks the directory anew after its lock file was taken away.
   *
   * @throws IOException if somebody else was faster
   */
  synchronized void renew(SpillFiles files) throws IOException {
    close();
    DirectoryLock again =
        tryAcquire(files)
            .orElseThrow(
                () ->
                    new IOException(
                        "the directory "
                            + files.directory()
                            + " was taken away, and another process uses the new one"));
    key = again.key;
    channel = again.channel;
  }

  @Override
  public synchronized void close() throws IOException {
    try {
      channel.close();
    } finally {
      HELD.remove(key);
    }
  }
}
