package eventlog.spill;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import eventlog.send.EventLogLedger;
import holdfast.files.PrivateFiles;
import holdfast.log.LibraryLogger;
import holdfast.log.LogText;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The configured directory, which several processes may share: the first has it for itself, the
 * others get directories of their own in it. What a process leaves behind when it dies is found by
 * those that still run. Safe for use by many threads.
 *
 * <p>Directories and lock files are never deleted: somebody may be about to lock them.
 */
public final class SpillHome {
  private static final System.Logger LOG = LibraryLogger.of("eventlog");
  private static final String SHARED = "process-";
  private static final int MOST_PROCESSES = 1000;

  private final Path root;
  private final Limits limits;
  private final EventLogLedger ledger;
  private final TimeSource time;
  private final Set<Path> saidUnusable = ConcurrentHashMap.newKeySet();

  /** A home that is not opened yet. */
  public SpillHome(Path root, Limits limits, EventLogLedger ledger, TimeSource time) {
    this.root = root;
    this.limits = limits;
    this.ledger = ledger;
    this.time = time;
  }

  /** Returns the configured directory. */
  public Path root() {
    return root;
  }

  /** How much may be on disk. */
  public Limits limits() {
    return limits;
  }

  /**
   * Locks the configured directory itself, which must be there, and puts it in order.
   *
   * @return empty if a process uses it
   * @throws IOException if it cannot be read or written
   */
  public Optional<SpillDirectory> openAlone() throws IOException {
    return lock(new SpillFiles(root), true);
  }

  /**
   * Locks a directory for this process and puts it in order; makes it if it is missing.
   *
   * @throws IOException if none can be had
   */
  public SpillDirectory open() throws IOException {
    PrivateFiles.createDirectories(root);
    AccessDeniedException denied = null;
    for (int number = 1; number <= MOST_PROCESSES; number++) {
      Path directory = number == 1 ? root : root.resolve(SHARED + number);
      if (number > 1 && Files.isSymbolicLink(directory)) {
        continue; // not made by a logger
      }
      SpillFiles files = new SpillFiles(directory);
      Optional<DirectoryLock> lock;
      try {
        PrivateFiles.createDirectories(directory);
        lock = DirectoryLock.tryAcquire(files);
      } catch (AccessDeniedException e) {
        if (!Files.isDirectory(directory)) {
          throw denied == null ? e : denied; // nothing can be made here
        }
        denied = denied == null ? e : denied; // the lock file of another user, or of nobody
        continue;
      }
      if (lock.isPresent()) {
        SpillDirectory own = inOrder(files, lock.get(), true);
        sayWhere(directory, number, denied);
        return own;
      }
    }
    throw new IOException(
        "the directory %s is used by %d processes already; set another spilloverPath"
            .formatted(root, MOST_PROCESSES));
  }

  private static void sayWhere(Path directory, int number, @Nullable IOException denied) {
    if (denied != null) {
      LOG.log(
          WARNING,
          "eventlog directory is not accessible, so this process writes to directory="
              + directory
              + "; run the processes that share a spilloverPath as one user, or give each its own"
              + " problem="
              + LogText.line(denied));
    } else if (number > 1) {
      LOG.log(
          INFO,
          "eventlog directory is used by another process or logger, so this one writes to directory="
              + directory);
    }
  }

  /**
   * Takes over a directory that has events and nobody to send them. One that cannot be used, such
   * as that of another user, is left alone, and the log says so once.
   *
   * @param own the directory of this process
   * @return empty if there is none
   * @throws IOException if the directories cannot be listed
   */
  public Optional<SpillDirectory> adopt(Path own) throws IOException {
    for (Path directory : directories(root)) {
      if (directory.equals(own)) {
        continue;
      }
      try {
        SpillFiles files = new SpillFiles(directory);
        Optional<SpillDirectory> orphan = hasEvents(files) ? lock(files, false) : Optional.empty();
        if (orphan.isPresent()) {
          return orphan;
        }
      } catch (IOException e) {
        sayUnusable(directory, e);
      }
    }
    return Optional.empty();
  }

  private void sayUnusable(Path directory, IOException problem) {
    if (saidUnusable.add(directory)) {
      LOG.log(
          WARNING,
          "eventlog directory of another process cannot be used, events in it are not sent directory="
              + directory
              + "; let this user read and write it, or run eventlog replay as the user whose"
              + " directory it is problem="
              + LogText.line(problem));
    }
  }

  /**
   * A directory and those of the processes that shared it.
   *
   * @param root the configured directory
   * @throws IOException if it cannot be looked at
   */
  public static List<Path> directories(Path root) throws IOException {
    List<Path> found = new ArrayList<>();
    found.add(root);
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(root, SHARED + "*")) {
      for (Path entry : entries) {
        if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
          found.add(entry);
        }
      }
    }
    found.sort(null);
    return found;
  }

  private static boolean hasEvents(SpillFiles files) throws IOException {
    return size(files.active()) > 0 || Files.exists(files.replay());
  }

  private static long size(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  private Optional<SpillDirectory> lock(SpillFiles files, boolean own) throws IOException {
    Optional<DirectoryLock> taken = DirectoryLock.tryAcquire(files);
    return taken.isEmpty() ? Optional.empty() : Optional.of(inOrder(files, taken.get(), own));
  }

  private SpillDirectory inOrder(SpillFiles files, DirectoryLock lock, boolean own)
      throws IOException {
    boolean opened = false;
    try {
      Quarantine quarantine = new Quarantine(files.quarantine(), limits, time);
      Recovery found = new Recovery(files, limits, quarantine, ledger, own).run();
      opened = true;
      return new SpillDirectory(files, lock, limits, ledger, quarantine, found);
    } finally {
      if (!opened) {
        lock.close();
      }
    }
  }
}
