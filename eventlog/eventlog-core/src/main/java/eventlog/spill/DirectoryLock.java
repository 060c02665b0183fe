package eventlog.spill;

import holdfast.files.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The right to use a directory, held by one logger of one process at a time. The system takes it
 * back when the process ends, however it ends. Safe for use by many threads.
 */
final class DirectoryLock implements AutoCloseable {
  /*
   * Closing any channel of a file gives back all locks that the process has on it. So a lock file
   * that this process holds must not be opened a second time, and one that turns out to be held by
   * another class loader must stay open. It is kept, and used when the lock is asked for again.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();
  private static final Map<Path, KeptOpen> KEPT_OPEN = new ConcurrentHashMap<>();

  /** A lock file of another class loader, and which file it is: another may be in its place. */
  private record KeptOpen(FileChannel channel, @Nullable Object file) {}

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
    FileChannel channel = channel(key);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        LockHolder.note(channel);
        return Optional.of(new DirectoryLock(key, channel));
      }
      channel.close();
    } catch (OverlappingFileLockException e) {
      KEPT_OPEN.put(key, new KeptOpen(channel, file(key)));
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    return Optional.empty();
  }

  /** The lock file, which is not opened again if it was kept open. */
  private static FileChannel channel(Path key) throws IOException {
    KeptOpen kept = KEPT_OPEN.remove(key); // by one thread at a time: the key is in HELD
    if (kept != null) {
      if (kept.channel.isOpen() && Files.exists(key) && Objects.equals(kept.file, file(key))) {
        return kept.channel;
      }
      kept.channel.close();
    }
    return PrivateFiles.open(key, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  /** What tells a file from another of the same name; null if it is gone, or nothing does. */
  private static @Nullable Object file(Path key) throws IOException {
    try {
      return Files.readAttributes(key, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .fileKey();
    } catch (NoSuchFileException e) {
      return null;
    }
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
