package tracer.ring;

/**
 * Whose events a ring has.
 *
 * @param writer the number of the writer
 * @param thread the number of the thread as records have it; 0 if several share the writer
 * @param threadName the name of the thread; empty if several share the writer
 */
public record RingOrigin(int writer, long thread, String threadName) {
  /** Several threads, of any writer. */
  public static final RingOrigin SHARED = new RingOrigin(0, 0, "");
}
