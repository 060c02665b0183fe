package holdfast.micrometer;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.ledger.LedgerSnapshot;
import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a ledger again when the last snapshot has become too old, since reading may be a query.
 * Safe for use by many threads; one of them reads while the others wait for it.
 */
final class LedgerReading {
  private static final System.Logger LOG = LibraryLogger.of("holdfast.micrometer");

  private final String library;
  private final Supplier<LedgerSnapshot> ledger;
  private final Duration maxAge;
  private final TimeSource time;
  private final List<Consumer<LedgerSnapshot>> readers = new CopyOnWriteArrayList<>();
  private boolean asked;
  private long askedAt;
  private @Nullable LedgerSnapshot current;
  private @Nullable LedgerSnapshot last;

  LedgerReading(String library, Supplier<LedgerSnapshot> ledger, Duration maxAge, TimeSource time) {
    this.library = library;
    this.ledger = ledger;
    this.maxAge = maxAge;
    this.time = time;
  }

  /** Calls a reader with each new snapshot, beginning with the last one. */
  synchronized void onEach(Consumer<LedgerSnapshot> reader) {
    readers.add(reader);
    if (last != null) {
      reader.accept(last);
    }
  }

  /** Returns the ledger now; null if it could not be read. */
  synchronized @Nullable LedgerSnapshot current() {
    if (!asked || time.nanoTime() - askedAt >= maxAge.toNanos()) {
      boolean couldRead = !asked || current != null;
      read(couldRead);
      asked = true;
      askedAt = time.nanoTime();
    }
    return current;
  }

  /** Returns the ledger when it was last read successfully; null if it never was. */
  synchronized @Nullable LedgerSnapshot last() {
    return last;
  }

  private void read(boolean couldRead) {
    try {
      LedgerSnapshot now = ledger.get();
      current = now;
      last = now;
      readers.forEach(reader -> reader.accept(now));
    } catch (RuntimeException e) {
      current = null;
      if (couldRead) { // once, not at each scrape
        LOG.log(
            WARNING, library + " ledger cannot be read; its counters stand still until it can", e);
      }
    }
  }
}
