package tracer;

/** The lanes of a tracer, the least important first. */
public enum Lane {
  /** Routine events of fixed width; the first to be dropped. */
  INDEX,
  /** Events with bytes; dropped only when no ring of {@link #INDEX} is left to be taken. */
  DETAIL,
  /** What explains a crash; never dropped while memory or an emergency file can take it. */
  CRITICAL
}
