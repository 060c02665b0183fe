package tracer;

import holdfast.ledger.Reason;

/**
 * Why an event was dropped. Where several hold, the first of them is counted: the most specific
 * cause.
 */
public enum DropReason implements Reason {
  /** A ring was refused by the memory limit, and its lane had none to spare. */
  MEMORY_LIMIT,
  /** No ring was to spare while a write to the sink failed or took longer than its bound. */
  DISK_SLOW,
  /** No ring was to spare because as many as allowed waited for the sink. */
  ENCODER_LAG,
  /** No ring was to spare, so the oldest that waited was taken back. */
  POOL_EXHAUSTED,
  /** The ring in use was full, and no other could be had at all; or the event fits no ring. */
  RING_FULL;

  @Override
  public String code() {
    return name();
  }
}
