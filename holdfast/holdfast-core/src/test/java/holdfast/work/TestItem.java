package holdfast.work;

/** An event that a test claims. Safe for use by many threads. */
final class TestItem extends WorkItem {
  private final String id;
  private final int priority;
  private final boolean awaited;

  TestItem(String id, int priority, boolean awaited, long queuedAt, long leaseEndsAt) {
    super(queuedAt, leaseEndsAt);
    this.id = id;
    this.priority = priority;
    this.awaited = awaited;
  }

  static TestItem of(String id) {
    return new TestItem(id, 0, false, 0, 100);
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public String type() {
    return "T";
  }

  @Override
  public long bytes() {
    return 1;
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
