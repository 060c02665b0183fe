package holdfast.jdbc;

/**
 * Lets rows through while their sizes fit a limit; the first always passes, so that one that is
 * larger than the limit is not stuck. Confined to one call.
 */
public final class ByteLimit {
  private long left;
  private boolean first = true;
  private boolean reached;

  /** Starts with that many bytes. */
  public ByteLimit(long bytes) {
    this.left = bytes;
  }

  /** Returns whether a row of this size passes; once one does not, no other does. */
  public boolean passes(long bytes) {
    reached |= !first && bytes > left;
    first = false;
    left -= reached ? 0 : bytes;
    return !reached;
  }

  /** Returns whether a row was refused. */
  public boolean isReached() {
    return reached;
  }
}
