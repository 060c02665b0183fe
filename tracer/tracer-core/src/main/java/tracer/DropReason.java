package tracer;

import holdfast.ledger.Reason;

/**
 * Why an event was dropped. Where several hold, the first of them is counted: the most specific
 * cause.
 */
public enum DropReason implements Reason {
  /** A ring was refused by the memory limit, and its lane had none to spare. */
  MEMORY_LIMIT,
  /** No ring was to spare while the sink failed, or the disk took longer than its bound. */
  DISK_SLOW,
  /** No ring was to spare while the sink took less than the peak rate, or its queue was full. */
  ENCODER_LAG,
  /** No ring was to spare, so the oldest that waited was taken back. */
  POOL_EXHAUSTED,
  /**
   * The ring in use was full, and no other could be had at all; or the event is too large for any.
   */
  RING_FULL,
  /**
   * A flight recorder has kept newer events in its place, or it was older than what a dump takes.
   */
  REPLACED;

  @Override
  public String code() {
    return name();
  }
}
