package holdfast.work;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An event that a test claims. Safe for use by many threads. */
final class TestItem extends WorkItem {
  private final String id;
  private final String type;
  private final int priority;
  private final boolean awaited;
  private @Nullable Duration failingFor;
  private long bytes = 1;

  TestItem(String id, int priority, boolean awaited, long queuedAt, long leaseEndsAt) {
    this(id, "T", priority, awaited, queuedAt, leaseEndsAt);
  }

  TestItem(String id, String type, int priority) {
    this(id, type, priority, false, 0, 100);
  }

  private TestItem(
      String id, String type, int priority, boolean awaited, long queuedAt, long leaseEndsAt) {
    super(queuedAt, leaseEndsAt);
    this.id = id;
    this.type = type;
    this.priority = priority;
    this.awaited = awaited;
  }

  static TestItem of(String id) {
    return new TestItem(id, 0, false, 0, 100);
  }

  /** An event of that size. */
  static TestItem ofBytes(String id, long bytes) {
    TestItem item = of(id);
    item.bytes = bytes;
    return item;
  }

  /** An event that was queued then. */
  static TestItem queuedAt(String id, long queuedAt) {
    return new TestItem(id, 0, false, queuedAt, Long.MAX_VALUE);
  }

  /** An event that had been failing for some time when it was claimed. */
  static TestItem failingFor(Duration time, long queuedAt) {
    TestItem item = new TestItem("failing", 0, false, queuedAt, Long.MAX_VALUE);
    item.failingFor = time;
    return item;
  }

  @Override
  public @Nullable Duration failingFor() {
    return failingFor;
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public String type() {
    return type;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public int priority() {
    return priority;
  }

  @Override
  public int failures() {
    return 0;
  }

  @Override
  public int suspectGroup() {
    return 0;
  }

  @Override
  public boolean isAwaited() {
    return awaited;
  }

  @Override
  public String toString() {
    return id;
  }
}
