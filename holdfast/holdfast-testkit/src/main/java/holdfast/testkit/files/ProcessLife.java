package holdfast.testkit.files;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The life of the simulated process: it has files open, and it ends once.
 *
 * <p>Safe for use by many threads. Its monitor is never held while waiting for the lock of the
 * {@link FaultPlan}.
 */
final class ProcessLife {

  private final Set<Closeable> open = new HashSet<>();
  private final List<IOException> troubles = new ArrayList<>();

  /** When the process crashed, in words; null while it lives. */
  private volatile @Nullable String end;

  boolean hasEnded() {
    return end != null;
  }

  /** Ends the process, unless it is dead already; the system closes what it had open. */
  synchronized void end(String when) {
    if (end == null) {
      end = when;
      open.forEach(this::abandon);
      open.clear();
    }
  }

  void requireAlive() {
    String when = end;
    if (when != null) {
      SimulatedCrash death = new SimulatedCrash(when);
      synchronized (this) {
        troubles.forEach(death::addSuppressed);
      }
      throw death;
    }
  }

  /** Notes a real file that the end has to close. */
  synchronized void opened(Closeable file) {
    if (end == null) {
      open.add(file);
    } else {
      abandon(file);
    }
  }

  synchronized void closed(Closeable file) {
    open.remove(file);
  }

  private void abandon(Closeable file) {
    try {
      file.close();
    } catch (IOException e) {
      troubles.add(e);
    }
  }
}
