package failover.slices;

/**
 * Whether an answer is given of which some slices were not found. One of which none was found is
 * never given. Immutable.
 *
 * @param leastShare which share of the slices must be found, from 0 to 1
 */
public record PartialRecovery(double leastShare) {
  /** Any answer of which at least one slice was found. */
  public static final PartialRecovery PARTIAL = new PartialRecovery(0);

  /** Only complete answers; others count as missing. */
  public static final PartialRecovery FAIL = new PartialRecovery(1);

  /** Refuses shares out of range. */
  public PartialRecovery {
    if (!(leastShare >= 0 && leastShare <= 1)) {
      throw new IllegalArgumentException("leastShare must be 0 to 1 but was " + leastShare);
    }
  }

  /**
   * Answers of which at least that share of slices was found.
   *
   * @throws IllegalArgumentException if it is not 0 to 1
   */
  public static PartialRecovery atLeast(double share) {
    return new PartialRecovery(share);
  }

  /** Whether an answer with so many slices found is given. */
  public boolean allows(int found, int total) {
    return found > 0 && (double) found / total >= leastShare;
  }
}
