package eventlog.tool;

import eventlog.send.EventLogLedger;
import eventlog.spill.Limits;
import eventlog.spill.LockHolder;
import eventlog.spill.SpillDirectory;
import eventlog.spill.SpillFiles;
import eventlog.spill.SpillHome;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A directory and those of the processes that shared it, all locked or none. Confined to one
 * thread.
 */
final class LockedDirectories implements AutoCloseable {
  /** Nothing is refused for its size: it was within the limits of whoever wrote it. */
  static final Limits LIMITS =
      new Limits(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, 256 * 1024 * 1024);

  private final List<SpillDirectory> locked = new ArrayList<>();

  private LockedDirectories() {}

  /**
   * Locks them.
   *
   * @throws ToolException if a process uses one of them
   */
  static LockedDirectories of(Path root, EventLogLedger ledger, TimeSource time)
      throws IOException {
    LockedDirectories directories = new LockedDirectories();
    boolean all = false;
    try {
      for (Path path : SpillHome.directories(root)) {
        directories.lock(path, ledger, time);
      }
      all = true;
      return directories;
    } finally {
      if (!all) {
        directories.close();
      }
    }
  }

  private void lock(Path path, EventLogLedger ledger, TimeSource time) throws IOException {
    Optional<SpillDirectory> opened = new SpillHome(path, LIMITS, ledger, time).openAlone();
    if (opened.isEmpty()) {
      throw new ToolException(
          Exit.IN_USE,
          path
              + " must not be in use but is, by "
              + holder(path)
              + "; stop that process, which then sends or keeps everything itself, or name a"
              + " directory that nobody uses");
    }
    locked.add(opened.get());
  }

  private static String holder(Path path) throws IOException {
    String holder = LockHolder.of(new SpillFiles(path));
    return holder == null || holder.isEmpty() ? "a process" : holder;
  }

  List<SpillDirectory> all() {
    return Collections.unmodifiableList(locked);
  }

  @Override
  public void close() throws IOException {
    for (SpillDirectory directory : locked) {
      directory.close();
    }
  }
}
