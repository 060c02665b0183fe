package holdfast.work;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import holdfast.log.FailureSeries;
import holdfast.log.LibraryLogger;
import holdfast.log.Outage;
import holdfast.time.TimeSource;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Records outcomes together, or one by one if that fails, so that one that the table refuses does
 * not hold up the others. Confined to the thread of the {@link OutcomeWriter}.
 */
final class OutcomeBatches<T extends WorkItem> {
  private static final int FAILURES_OF_A_DATABASE = 3;
  private static final String LOOP = "outcomes";

  private final System.Logger log;
  private final String library;
  private final WorkStore<T> store;
  private final BiConsumer<Ended<T>, Boolean> onRecorded;
  private final Outage outage;
  private final FailureSeries refusals;
  private @Nullable Exception trouble;

  /**
   * Creates batches of a library's outcomes.
   *
   * @param onRecorded is called with each recorded outcome, and whether it was stale
   */
  OutcomeBatches(
      String library,
      WorkStore<T> store,
      BiConsumer<Ended<T>, Boolean> onRecorded,
      Outage outage,
      TimeSource time) {
    this.log = LibraryLogger.of(library);
    this.library = library;
    this.store = store;
    this.onRecorded = onRecorded;
    this.outage = outage;
    this.refusals = new FailureSeries(log, WARNING, library + " outcome write", "", time);
  }

  /**
   * Reports how a flush ended: if nothing could be recorded, the database fails; if some could, it
   * refuses the others.
   *
   * @param unwritten how many wait to be recorded again
   * @param wrote whether any was recorded
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

  /** Records what can be recorded and leaves the rest; returns whether anything was. */
  boolean recordSome(Deque<Ended<T>> outcomes) {
    if (outcomes.isEmpty()) {
      return false;
    }
    List<Ended<T>> all = List.copyOf(outcomes);
    Set<T> stale = record(all);
    if (stale != null) {
      outcomes.clear();
      all.forEach(ended -> settle(ended, stale));
      return true;
    }
    return outcomes.size() > 1 && recordOneByOne(outcomes);
  }

  /** What is refused goes to the end of the line; several in a row mean the database. */
  private boolean recordOneByOne(Deque<Ended<T>> outcomes) {
    int before = outcomes.size();
    int inARow = 0;
    for (int i = 0; i < before && inARow < FAILURES_OF_A_DATABASE; i++) {
      Ended<T> ended = outcomes.getFirst();
      Set<T> stale = record(List.of(ended));
      outcomes.removeFirst();
      if (stale != null) {
        inARow = 0;
        settle(ended, stale);
      } else {
        inARow++;
        outcomes.addLast(ended);
      }
    }
    return outcomes.size() < before;
  }

  /** Returns the items whose outcome was refused; null if nothing was recorded. */
  private @Nullable Set<T> record(List<Ended<T>> outcomes) {
    try {
      return store.record(outcomes);
    } catch (Exception e) {
      trouble = e;
      return null;
    }
  }

  /** What is recorded stays recorded, whatever a listener throws. */
  private void settle(Ended<T> ended, Set<T> stale) {
    try {
      onRecorded.accept(ended, stale.contains(ended.item()));
    } catch (RuntimeException e) {
      log.log(ERROR, library + " could not report that this was recorded: " + ended, e);
    }
  }
}
