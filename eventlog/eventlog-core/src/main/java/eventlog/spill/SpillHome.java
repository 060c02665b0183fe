package eventlog.spill;

import static java.lang.System.Logger.Level.INFO;

import eventlog.send.Accounts;
import holdfast.files.PrivateFiles;
import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
  private final Accounts accounts;
  private final TimeSource time;

  /** A home that is not opened yet. */
  public SpillHome(Path root, Limits limits, Accounts accounts, TimeSource time) {
    this.root = root;
    this.limits = limits;
    this.accounts = accounts;
    this.time = time;
  }

  /** Returns the configured directory. */
  Path root() {
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
    for (int number = 1; number <= MOST_PROCESSES; number++) {
      Path directory = number == 1 ? root : root.resolve(SHARED + number);
      if (number > 1 && Files.isSymbolicLink(directory)) {
        continue; // not made by a logger
      }
      PrivateFiles.createDirectories(directory);
      Optional<SpillDirectory> own = lock(new SpillFiles(directory), true);
      if (own.isPresent()) {
        if (number > 1) {
          LOG.log(
              INFO,
              "eventlog directory is used by another process or logger, so this one writes to directory="
                  + directory);
        }
        return own.get();
      }
    }
    throw new IOException(
        "the directory %s is used by %d processes already; set another spilloverPath"
            .formatted(root, MOST_PROCESSES));
  }

  /**
   * Takes over a directory that has events and nobody to send them.
   *
   * @return empty if there is none
   * @throws IOException if the directories cannot be looked at
   */
  public Optional<SpillDirectory> adopt() throws IOException {
    for (Path directory : directories()) {
      SpillFiles files = new SpillFiles(directory);
      if (hasEvents(files)) {
        Optional<SpillDirectory> orphan = lock(files, false);
        if (orphan.isPresent()) {
          return orphan;
        }
      }
    }
    return Optional.empty();
  }

  private List<Path> directories() throws IOException {
    return directories(root);
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
    if (taken.isEmpty()) {
      return Optional.empty();
    }
    boolean opened = false;
    try {
      Quarantine quarantine = new Quarantine(files.quarantine(), limits, time);
      Recovery found = new Recovery(files, limits, quarantine, accounts, own).run();
      opened = true;
      return Optional.of(
          new SpillDirectory(files, taken.get(), limits, accounts, quarantine, found));
    } finally {
      if (!opened) {
        taken.get().close();
      }
    }
  }
}
