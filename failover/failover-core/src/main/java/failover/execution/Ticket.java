package failover.execution;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Permission to ask a source, or word that it is not to be asked. Safe for use by many threads. */
final class Ticket {

  /** What a call is to the pause that gave it its ticket. */
  enum Kind {
    /** There is no pause. */
    NORMAL,
    /** It tries a source that has failed before. */
    PROBE,
    /** There is a pause, but nothing is stored that could be given instead. */
    DIRECT,
    /** There is a pause, and the source is not asked. */
    REFUSED,
    /** The outcome of the call was counted already. */
    COUNTED
  }

  /** For points without pauses. */
  static final Ticket ALWAYS = new Ticket(Kind.NORMAL, null, 0, null);

  /** For a call whose outcome was counted before it ended: it took too long. */
  static final Ticket COUNTED = new Ticket(Kind.COUNTED, null, 0, null);

  private final Kind kind;
  private final @Nullable Pause pause;
  private final long era;
  private final AtomicReference<@Nullable Semaphore> permit;

  private Ticket(Kind kind, @Nullable Pause pause, long era, @Nullable Semaphore permit) {
    this.kind = kind;
    this.pause = pause;
    this.era = era;
    this.permit = new AtomicReference<>(permit);
  }

  static Ticket of(Kind kind, Pause pause, long era) {
    return new Ticket(kind, pause, era, null);
  }

  /** For a call that gives a permit back when it ends. */
  static Ticket direct(Pause pause, Semaphore permit) {
    return new Ticket(Kind.DIRECT, pause, 0, permit);
  }

  Kind kind() {
    return kind;
  }

  /** When it was given, as its pause counts. */
  long era() {
    return era;
  }

  boolean isProbe() {
    return kind == Kind.PROBE;
  }

  boolean isRefused() {
    return kind == Kind.REFUSED;
  }

  /** The pause that gave it. */
  Pause pause() {
    if (pause == null) {
      throw new IllegalStateException("a ticket of kind %s has no pause".formatted(kind));
    }
    return pause;
  }

  /**
   * Hands its permit over to another ticket, for a call that goes on when its caller has left. This
   * one has none to give back then.
   */
  Ticket handOver() {
    return new Ticket(kind, pause, era, permit.getAndSet(null));
  }

  /** Gives its permit back; the second time nothing happens. */
  void release() {
    Semaphore mine = permit.getAndSet(null);
    if (mine != null) {
      mine.release();
    }
  }
}
