package holdfast.lease;

import static java.lang.System.Logger.Level.ERROR;

import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes marks together, or one by one if that fails, so that one that cannot be written does not
 * keep the others. Confined to the thread of a {@link MarkWriter}.
 */
final class MarkBatches<M> {
  private static final int FAILURES_OF_A_DATABASE = 3;

  private final System.Logger log;
  private final String room;
  private final MarkWriter.Target<M, ?> target;
  private @Nullable Exception trouble;

  MarkBatches(String room, MarkWriter.Target<M, ?> target) {
    this.log = System.getLogger(room);
    this.room = room;
    this.target = target;
  }

  /** Why the last mark that was refused could not be written. */
  @Nullable Exception trouble() {
    return trouble;
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
