package tracer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Applies the exclusions of a tracer, which may change while it runs. Safe for many threads. */
final class EventFilter {
  /*
   * Without exclusions an event costs one look at a field. With some, the first event of a kind is
   * compared with them, and others find the verdict by their number. The field is read opaquely:
   * as cheap as any other, and a change is seen soon. Threads that compare at the same time come to
   * the same verdict, so it does no harm that they store it twice. A table belongs to exclusions
   * that do not change, so who compares takes both from one object.
   */
  private static final byte RECORDED = 1;
  private static final byte EXCLUDED = 2;
  private static final Verdicts NONE = new Verdicts(Exclusions.none());
  private static final VarHandle VERDICTS;

  static {
    try {
      VERDICTS = MethodHandles.lookup().findVarHandle(EventFilter.class, "verdicts", byte[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile Verdicts current = NONE;

  @SuppressWarnings("UnusedVariable") // read through its handle
  private byte @Nullable [] verdicts;

  private final boolean recordsNothing;

  EventFilter(Exclusions exclusions, boolean recordsNothing) {
    this.recordsNothing = recordsNothing;
    if (recordsNothing) {
      byte[] all = new byte[TraceEvent.MOST_NAMES + 1];
      Arrays.fill(all, EXCLUDED);
      VERDICTS.setVolatile(this, all);
    } else {
      exclude(exclusions);
    }
  }

  /** What was found by comparing kinds of events with exclusions. */
  private static final class Verdicts {
    private final Exclusions exclusions;
    private final byte[] byId = new byte[TraceEvent.MOST_NAMES + 1];

    Verdicts(Exclusions exclusions) {
      this.exclusions = exclusions;
    }

    boolean find(TraceEvent event) {
      byte verdict = exclusions.contains(event) ? EXCLUDED : RECORDED;
      byId[event.id()] = verdict;
      return verdict == EXCLUDED;
    }
  }

  /** Replaces the exclusions. */
  void exclude(Exclusions replacement) {
    change(before -> replacement);
  }

  /** Replaces the exclusions by what is made of them; of changes at the same time none is lost. */
  synchronized void change(UnaryOperator<Exclusions> change) {
    if (!recordsNothing) {
      Exclusions replacement = change.apply(current.exclusions);
      Verdicts next = replacement.isEmpty() ? NONE : new Verdicts(replacement);
      current = next;
      VERDICTS.setVolatile(this, replacement.isEmpty() ? null : next.byId);
    }
  }

  Exclusions exclusions() {
    return current.exclusions;
  }

  /** Whether events of that kind are not recorded. */
  boolean excludes(TraceEvent event) {
    byte[] found = (byte[]) VERDICTS.getOpaque(this);
    if (found == null) {
      return false;
    }
    byte verdict = found[event.id()];
    return verdict == EXCLUDED || (verdict == 0 && current.find(event));
  }
}
