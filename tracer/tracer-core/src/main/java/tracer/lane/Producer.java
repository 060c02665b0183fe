package tracer.lane;

import holdfast.time.TimeSource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import tracer.ring.RecordFormat;

/** The writers of one thread, one for each lane it may fill. Reused when the thread has ended. */
public final class Producer {
  private static final VarHandle THREAD;

  static {
    try {
      THREAD = MethodHandles.lookup().findVarHandle(Producer.class, "thread", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Writer index;
  private final Writer detail;
  private final SpanStack spans;
  private final AtomicBoolean taken = new AtomicBoolean();

  // Set by the thread itself. Others compare it with themselves and never find themselves in it.
  @Nullable Thread thread;

  Producer(Writer index, Writer detail, TimeSource time, SlowSpans slow) {
    this.index = index;
    this.detail = detail;
    this.spans = new SpanStack(this, index, time, slow);
  }

  /** The open spans of its thread. */
  SpanStack spans() {
    return spans;
  }

  /** The begin of a span was recorded. */
  OwnSpan opened(OwnSpan span, long began) {
    span.began = began;
    spans.depth = span.depth;
    return span;
  }

  /** Its writer for routine events. */
  public Writer index() {
    return index;
  }

  /** Its writer for events with bytes. */
  public Writer detail() {
    return detail;
  }

  /** Takes it for the current thread; false if another thread has it. */
  boolean take(Thread owner) {
    if (taken.get() || !taken.compareAndSet(false, true)) {
      return false;
    }
    String shown = ThreadNames.shown(owner);
    long number = RecordFormat.thread(owner.getId());
    index.belongsTo(number, shown);
    detail.belongsTo(number, shown);
    spans.clear();
    THREAD.setRelease(this, owner);
    return true;
  }

  /** Whether its thread has ended. For the drain. */
  boolean hasEnded() {
    Thread owner = (Thread) THREAD.getAcquire(this);
    return owner != null && !owner.isAlive();
  }

  /** Lets another thread take it. For its own thread, and for the drain when that has ended. */
  void release() {
    thread = null;
    taken.set(false);
  }

  void close() {
    index.close();
    detail.close();
  }
}
