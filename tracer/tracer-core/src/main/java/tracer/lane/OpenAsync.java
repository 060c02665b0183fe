package tracer.lane;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which asynchronous spans were begun and have not ended, so that one begun while its kind was
 * recorded ends although it is not any more, and the other way round. Safe for use by many threads.
 */
final class OpenAsync {
  /*
   * A table of fixed size without locks: a span is a word in one of the places that follow from its
   * kind and id. When one finds no place, nothing that was not found is certain any more, and all
   * ends are recorded from then on; the sink can tell those without a begin.
   */
  private static final int PLACES = 1 << 13;
  private static final int TRIES = 16;
  private static final long SCATTER = 0x9E3779B97F4A7C15L;

  private final AtomicLongArray table = new AtomicLongArray(PLACES);
  private volatile boolean overflowed;

  /** A span begins. */
  void begin(int event, long id) {
    long key = key(event, id);
    for (int i = 0; i < TRIES; i++) {
      int place = place(key, i);
      if (table.get(place) == 0 && table.compareAndSet(place, 0, key)) {
        return;
      }
    }
    overflowed = true;
  }

  /** A span ends; false if it was not begun. */
  boolean end(int event, long id) {
    long key = key(event, id);
    for (int i = 0; i < TRIES; i++) {
      int place = place(key, i);
      if (table.get(place) == key && table.compareAndSet(place, key, 0)) {
        return true;
      }
    }
    return overflowed;
  }

  private static int place(long key, int i) {
    return ((int) (key >>> Integer.SIZE) + i) & (PLACES - 1);
  }

  private static long key(int event, long id) {
    long key = (id * SCATTER ^ event) * SCATTER;
    key ^= key >>> Integer.SIZE;
    return key == 0 ? 1 : key;
  }
}
