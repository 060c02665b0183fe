package tracer.lane;

import org.jspecify.annotations.Nullable;
import tracer.TraceEvent;

/** The writers of one thread, one for each lane it may fill. Reused when the thread has ended. */
public final class Producer {
  private final Writer index;
  private final Writer detail;

  // Set by the thread itself. Others compare it with themselves and never find themselves in it.
  @Nullable Thread thread;

  Producer(Writer index, Writer detail) {
    this.index = index;
    this.detail = detail;
  }

  /** Its writer for routine events. */
  public Writer index() {
    return index;
  }

  /** Its writer for events with bytes. */
  public Writer detail() {
    return detail;
  }

  void begin(Thread owner) {
    String name = owner.getName();
    String shown = name.substring(0, Math.min(TraceEvent.LONGEST_NAME, name.length()));
    index.belongsTo(shown);
    detail.belongsTo(shown);
    thread = owner;
  }

  void close() {
    index.close();
    detail.close();
  }
}
