package holdfast.lease;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import holdfast.log.FailureSeries;
import holdfast.log.LibraryLogger;
import holdfast.log.Outage;
import holdfast.time.TimeSource;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes marks together, or one by one if that fails, so that one that cannot be written does not
 * keep the others. Confined to the thread of a {@link MarkWriter}.
 */
final class MarkBatches<M> {
  private static final int FAILURES_OF_A_DATABASE = 3;
  private static final String LOOP = "outcomes";

  private final System.Logger log;
  private final String room;
  private final MarkWriter.Target<M, ?> target;
  private final Outage outage;
  private final FailureSeries refusals;
  private @Nullable Exception trouble;

  MarkBatches(String room, MarkWriter.Target<M, ?> target, Outage outage, TimeSource time) {
    this.log = LibraryLogger.of(room);
    this.room = room;
    this.target = target;
    this.outage = outage;
    this.refusals = new FailureSeries(log, WARNING, room + " outcome write", "", time);
  }

  /**
   * Reports how a flush ended: if nothing could be written, the database fails; if some could, it
   * refuses the others.
   *
   * @param unwritten how many wait to be written again
   * @param wrote whether any was written
   */
  void report(int unwritten, boolean wrote) {
    if (unwritten == 0 || wrote) {
      outage.worked(LOOP);
    }
    Exception cause = trouble;
    if (unwritten == 0) {
      refusals.worked();
    } else if (cause != null && wrote) {
      refusals.failed(" unwritten=" + unwritten, cause);
    } else if (cause != null) {
      outage.failed(LOOP, cause);
    }
  }

  /** Writes what can be written and leaves the rest; tells whether anything was. */
  boolean writeSome(Deque<M> marks) {
    if (marks.isEmpty()) {
      return false;
    }
    List<M> all = List.copyOf(marks);
    if (isWritten(all)) {
      marks.clear();
      all.forEach(this::settle);
      return true;
    }
    return marks.size() > 1 && writeOneByOne(marks);
  }

  /** What cannot be written goes to the end of the line; several in a row mean the database. */
  private boolean writeOneByOne(Deque<M> marks) {
    int before = marks.size();
    int inARow = 0;
    for (int i = 0; i < before && inARow < FAILURES_OF_A_DATABASE; i++) {
      M mark = marks.getFirst();
      boolean isWritten = isWritten(List.of(mark));
      marks.removeFirst();
      if (isWritten) {
        inARow = 0;
        settle(mark);
      } else {
        inARow++;
        marks.addLast(mark);
      }
    }
    return marks.size() < before;
  }

  private boolean isWritten(List<M> marks) {
    try {
      target.write(marks);
      return true;
    } catch (Exception e) {
      trouble = e;
      return false;
    }
  }

  /** What is written stays written, whatever those who are told make of it. */
  private void settle(M mark) {
    try {
      target.written(mark);
    } catch (RuntimeException e) {
      log.log(ERROR, room + " could not report that this was written: " + mark, e);
    }
  }
}
