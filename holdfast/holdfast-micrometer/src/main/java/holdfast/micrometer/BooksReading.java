package holdfast.micrometer;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.ledger.Books;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Books that are read again when they have become too old, since reading them may be a query. Safe
 * for use by many threads, one of which reads while the others wait for it.
 */
final class BooksReading {
  private static final System.Logger LOG = System.getLogger("holdfast.micrometer");

  private final String room;
  private final Supplier<Books> books;
  private final Duration maxAge;
  private final TimeSource time;
  private final List<Consumer<Books>> readers = new CopyOnWriteArrayList<>();
  private boolean asked;
  private long askedAt;
  private @Nullable Books current;
  private @Nullable Books last;

  BooksReading(String room, Supplier<Books> books, Duration maxAge, TimeSource time) {
    this.room = room;
    this.books = books;
    this.maxAge = maxAge;
    this.time = time;
  }

  /** Has something told of each new reading, beginning with the last. */
  synchronized void onEach(Consumer<Books> reader) {
    readers.add(reader);
    if (last != null) {
      reader.accept(last);
    }
  }

  /** The books as they stand; null if they could not be read. */
  synchronized @Nullable Books current() {
    if (!asked || time.nanoTime() - askedAt >= maxAge.toNanos()) {
      boolean couldRead = !asked || current != null;
      read(couldRead);
      asked = true;
      askedAt = time.nanoTime();
    }
    return current;
  }

  /** The books as they stood when they could be read; null if they never could. */
  synchronized @Nullable Books last() {
    return last;
  }

  private void read(boolean couldRead) {
    try {
      Books now = books.get();
      current = now;
      last = now;
      readers.forEach(reader -> reader.accept(now));
    } catch (RuntimeException e) {
      current = null;
      if (couldRead) { // said once, not at each scrape
        LOG.log(WARNING, room + " books cannot be read; counters stand still until they can", e);
      }
    }
  }
}
