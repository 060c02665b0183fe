package tracer.lane;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import tracer.DropReason;
import tracer.Lane;
import tracer.ring.RingOrigin;
import tracer.sink.DataLoss;

/**
 * What was dropped, by lane and reason, and the marks of it for the sink. Safe for many threads.
 */
public final class Drops {
  /*
   * Each writer has a list of marks, the newest first, changed without a lock: whoever drops may have
   * shared writers in hand, for which others look. Writers with equal remainders share a list.
   */
  private static final int LISTS = 64;
  private static final int MOST_MARKS = 100;
  private static final Lane[] LANES = Lane.values();
  private static final DropReason[] REASONS = DropReason.values();

  private final LongAdder[] counts = new LongAdder[LANES.length * REASONS.length];
  private final AtomicReferenceArray<@Nullable Mark> marks = new AtomicReferenceArray<>(LISTS);

  /** Nothing was dropped. */
  public Drops() {
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  /**
   * Events of one writer that were dropped together.
   *
   * @param origin whose they were
   * @param count how many
   * @param from when the first of them was recorded
   * @param to a time when the last of them had been
   * @param end how many events the writer had recorded up to the last of them; less than zero if
   *     that is not known
   */
  public record Dropped(RingOrigin origin, long count, long from, long to, long end) {
    private boolean follows(Dropped before) {
      return end >= 0
          && origin.writer() == before.origin.writer()
          && origin.thread() == before.origin.thread()
          && end - count == before.end;
    }

    private Dropped with(Dropped other) {
      // By difference: readings of the clock may run over the largest number.
      return new Dropped(
          origin.thread() == other.origin.thread() ? origin : RingOrigin.SHARED,
          count + other.count,
          other.from - from < 0 ? other.from : from,
          other.to - to > 0 ? other.to : to,
          end);
    }
  }

  /** Notes dropped events. */
  public void count(Lane lane, DropReason reason, Dropped dropped) {
    if (dropped.count > 0) {
      counts[place(lane, reason)].add(dropped.count);
      add(lane, reason, dropped);
    }
  }

  /** Notes events that a flight recorder no longer keeps, of which no sink is told. */
  public void replaced(Lane lane, long count) {
    counts[place(lane, DropReason.REPLACED)].add(count);
  }

  private void add(Lane lane, DropReason reason, Dropped dropped) {
    int list = dropped.origin.writer() & (LISTS - 1);
    while (true) {
      Mark newest = marks.get(list);
      if (marks.compareAndSet(list, newest, Mark.add(lane, reason, dropped, newest))) {
        return;
      }
    }
  }

  /** How many events of a lane were dropped for a reason. */
  public long of(Lane lane, DropReason reason) {
    return counts[place(lane, reason)].sum();
  }

  /** How many events of a lane were dropped. */
  public long of(Lane lane) {
    long sum = 0;
    for (DropReason reason : REASONS) {
      sum += of(lane, reason);
    }
    return sum;
  }

  /** How many events were dropped for a reason. */
  public long of(DropReason reason) {
    long sum = 0;
    for (Lane lane : LANES) {
      sum += of(lane, reason);
    }
    return sum;
  }

  /** The marks that the sink has not been given, those of a writer in their order. */
  public List<DataLoss> takeMarks() {
    List<DataLoss> taken = new ArrayList<>();
    for (int list = 0; list < LISTS; list++) {
      if (marks.get(list) != null) {
        List<DataLoss> newestFirst = new ArrayList<>();
        for (Mark mark = marks.getAndSet(list, null); mark != null; mark = mark.older) {
          newestFirst.add(mark.toLoss());
        }
        Collections.reverse(newestFirst);
        taken.addAll(newestFirst);
      }
    }
    return taken;
  }

  /** Whether there are marks that the sink has not been given. */
  public boolean hasMarks() {
    for (int list = 0; list < LISTS; list++) {
      if (marks.get(list) != null) {
        return true;
      }
    }
    return false;
  }

  /** Takes back a mark that the sink could not be given. */
  public void putBack(DataLoss loss) {
    RingOrigin origin = new RingOrigin(0, loss.threadId(), loss.threadName());
    add(loss.lane(), loss.reason(), new Dropped(origin, loss.count(), loss.from(), loss.to(), -1));
  }

  @SuppressWarnings("EnumOrdinal") // an index within this process, stored nowhere
  private static int place(Lane lane, DropReason reason) {
    return lane.ordinal() * REASONS.length + reason.ordinal();
  }

  /** A mark in a list, which cannot change. */
  private record Mark(
      Lane lane, DropReason reason, Dropped dropped, @Nullable Mark older, int length) {

    static Mark add(Lane lane, DropReason reason, Dropped dropped, @Nullable Mark newest) {
      if (newest != null && (newest.isOf(lane, reason) && dropped.follows(newest.dropped))) {
        return newest.merged(dropped);
      }
      return newest != null && newest.length >= MOST_MARKS && newest.has(lane, reason)
          ? newest.mergedInto(lane, reason, dropped)
          : new Mark(lane, reason, dropped, newest, newest == null ? 1 : newest.length + 1);
    }

    private boolean isOf(Lane otherLane, DropReason otherReason) {
      return lane == otherLane && reason == otherReason;
    }

    private Mark merged(Dropped more) {
      return new Mark(lane, reason, more.with(dropped), older, length);
    }

    private boolean has(Lane otherLane, DropReason otherReason) {
      for (Mark mark = this; mark != null; mark = mark.older) {
        if (mark.isOf(otherLane, otherReason)) {
          return true;
        }
      }
      return false;
    }

    /** The list with the newest mark of that lane and reason made larger; there is one. */
    private Mark mergedInto(Lane otherLane, DropReason otherReason, Dropped more) {
      if (older == null || isOf(otherLane, otherReason)) {
        return merged(more);
      }
      return new Mark(
          lane, reason, dropped, older.mergedInto(otherLane, otherReason, more), length);
    }

    DataLoss toLoss() {
      RingOrigin origin = dropped.origin;
      return new DataLoss(
          lane,
          reason,
          dropped.count,
          dropped.from,
          dropped.to,
          origin.thread(),
          origin.threadName());
    }
  }
}
