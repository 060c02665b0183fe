package tracer.lane;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import tracer.DropReason;
import tracer.Lane;
import tracer.sink.DataLoss;

/**
 * What was dropped, by lane and reason, and the marks of it for the sink. Safe for many threads.
 */
public final class Drops {
  private static final Lane[] LANES = Lane.values();
  private static final DropReason[] REASONS = DropReason.values();

  private final LongAdder[] counts = new LongAdder[LANES.length * REASONS.length];
  private final Mark[] marks = new Mark[counts.length];

  /** Nothing was dropped. */
  public Drops() {
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
      marks[i] = new Mark();
    }
  }

  /**
   * Notes dropped events.
   *
   * @param from when the first of them was recorded
   * @param to a time when the last of them had been
   */
  public void count(Lane lane, DropReason reason, long count, long from, long to) {
    if (count > 0) {
      counts[place(lane, reason)].add(count);
      marks[place(lane, reason)].add(count, from, to);
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

  /** The marks that the sink has not been given, one at most for each lane and reason. */
  public List<DataLoss> takeMarks() {
    List<DataLoss> taken = new ArrayList<>();
    for (Lane lane : LANES) {
      for (DropReason reason : REASONS) {
        marks[place(lane, reason)].take(lane, reason, taken);
      }
    }
    return taken;
  }

  /** Takes back a mark that the sink could not be given. */
  public void putBack(DataLoss loss) {
    marks[place(loss.lane(), loss.reason())].add(loss.count(), loss.from(), loss.to());
  }

  @SuppressWarnings("EnumOrdinal") // an index within this process, stored nowhere
  private static int place(Lane lane, DropReason reason) {
    return lane.ordinal() * REASONS.length + reason.ordinal();
  }

  /**
   * Drops that have not been told yet, as one span of time. Changed without a lock: whoever drops
   * may have shared writers in hand, for which others look.
   */
  private static final class Mark {
    private record Span(long count, long from, long to) {}

    private final AtomicReference<@Nullable Span> span = new AtomicReference<>();

    void add(long more, long start, long end) {
      while (true) {
        Span old = span.get();
        if (span.compareAndSet(
            old, old == null ? new Span(more, start, end) : with(old, more, start, end))) {
          return;
        }
      }
    }

    private static Span with(Span old, long more, long start, long end) {
      // By difference: readings of the clock may run over the largest number.
      return new Span(
          old.count + more,
          start - old.from < 0 ? start : old.from,
          end - old.to > 0 ? end : old.to);
    }

    void take(Lane lane, DropReason reason, List<DataLoss> into) {
      Span taken = span.getAndSet(null);
      if (taken != null) {
        into.add(new DataLoss(lane, reason, taken.count, taken.from, taken.to));
      }
    }
  }
}
