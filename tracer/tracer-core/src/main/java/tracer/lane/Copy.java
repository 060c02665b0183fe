package tracer.lane;

/** What became of the wish for a copy of a ring that is being written. */
public enum Copy {
  /** Nobody writes to the ring, or there is nothing in it. */
  NOTHING,
  /** The writer has an older ring that waits; that one must be drained first. */
  OLDER_FIRST,
  /** The writer is about to change rings; it takes some nanoseconds. */
  BUSY,
  /** The events are in the other ring. */
  DONE
}
