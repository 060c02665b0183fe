package eventlog.spill;

/**
 * How much may be on disk.
 *
 * @param maxEvents events not yet answered for
 * @param maxBytes bytes of the active and the replay file together
 * @param maxQuarantineBytes bytes of the quarantine
 * @param maxEntryBytes bytes of one event as JSON
 */
public record Limits(long maxEvents, long maxBytes, long maxQuarantineBytes, int maxEntryBytes) {

  /** What the number and the checksum add to an event. */
  private static final int FRAME_BYTES = 64;

  /** The most bytes that a line of ours has, unless it was written with a larger limit. */
  public int maxLineBytes() {
    return (int) Math.min(Integer.MAX_VALUE - 8L, (long) maxEntryBytes + FRAME_BYTES);
  }
}
