package eventbus.work;

import eventbus.Event;
import holdfast.work.HeapSize;
import holdfast.work.WorkItem;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An event that this node has claimed. Safe for use by many threads. */
final class ClaimedEvent extends WorkItem {
  private final Event event;
  private final long bytes;
  private final int suspectGroup;
  private volatile Set<String> doneHandlers = Set.of();

  /**
   * A claimed event.
   *
   * @param group the size of the group of the suspects that were claimed with it
   */
  ClaimedEvent(Event event, int group, long claimedAt, long leaseEndsAt) {
    super(claimedAt, leaseEndsAt);
    this.event = event;
    this.bytes = HeapSize.PER_EVENT + HeapSize.of(event.payload()) + HeapSize.of(event.headers());
    this.suspectGroup = event.claim().isSuspect() ? group : 0;
  }

  Event event() {
    return event;
  }

  @Override
  public Long id() {
    return event.id();
  }

  @Override
  public String type() {
    return event.type();
  }

  @Override
  public int priority() {
    return event.priority();
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public int failures() {
    return event.claim().failures();
  }

  @Override
  public @Nullable Duration failingFor() {
    return event.claim().failingFor();
  }

  @Override
  public int suspectGroup() {
    return suspectGroup;
  }

  /** Notes which handlers are done with it; they do not run again. */
  void done(Set<String> handlers) {
    doneHandlers = handlers;
  }

  /** Returns the ids of the handlers that have run and are done with it. */
  Set<String> doneHandlers() {
    return doneHandlers;
  }

  @Override
  public String toString() {
    return event.toString();
  }
}
