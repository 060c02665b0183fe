package tracer.sink;

/** What an event says about time: that something happens, begins, ends, or has a value. */
public enum TracePhase {
  /** Something happens at one moment. */
  INSTANT,
  /** A span of a thread begins. */
  BEGIN,
  /** A span of a thread ends. */
  END,
  /** A span that may end on another thread begins. */
  ASYNC_BEGIN,
  /** A span that may have begun on another thread ends. */
  ASYNC_END,
  /** A counter has a value from now on. */
  COUNTER,
  /** A flow passes through here: an arrow comes from where it was before. */
  FLOW,
  /** A flow ends here. */
  FLOW_END
}
