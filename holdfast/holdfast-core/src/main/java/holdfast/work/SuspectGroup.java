package holdfast.work;

/**
 * Decides which suspects a claim takes. An event that began in a group before goes only into one of
 * half that size or less, so that the one that kills its node is soon the only one in its group,
 * and only then is charged with it. Confined to one claim.
 */
public final class SuspectGroup {
  private final SuspectLimit limit;
  private int allowed = Integer.MAX_VALUE;
  private int taken;

  /** Takes at most so many. */
  public SuspectGroup(SuspectLimit limit) {
    this.limit = limit;
  }

  /**
   * Takes an event, if the group may have it.
   *
   * @param begunIn the size of the last group in which it began; 0 if it never began as a suspect
   * @return whether it is taken
   */
  public boolean takes(int begunIn) {
    int allows = begunIn == 0 ? Integer.MAX_VALUE : Math.max(1, begunIn / 2);
    int most = Math.min(allows, allowed);
    int size = limit.groupSize() > 0 ? limit.groupSize() : taken + 1;
    if (taken == limit.events() || size > most) {
      return false;
    }
    allowed = most;
    taken++;
    return true;
  }

  /** Returns how many events the group has; those that join another count as that does. */
  public int size() {
    return limit.groupSize() > 0 ? limit.groupSize() : taken;
  }
}
