package tracer.lane;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How many events each writer has recorded. Each counts for itself, in a word that is far enough
 * from the others' that they do not disturb each other. Safe to be read by many threads.
 */
final class RecordedCounters {
  private static final int APART = 16;
  private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] cells;

  RecordedCounters(int writers) {
    this.cells = new long[(writers + 2) * APART];
  }

  /** The memory, for {@link #count}. */
  long[] cells() {
    return cells;
  }

  static int cell(int writer) {
    return (writer + 1) * APART;
  }

  /** Counts one event; for the writer alone, before it publishes the event. */
  static void count(long[] cells, int cell) {
    CELLS.setOpaque(cells, cell, cells[cell] + 1);
  }

  long of(int writer) {
    return (long) CELLS.getVolatile(cells, cell(writer));
  }
}
