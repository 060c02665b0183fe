package holdfast.work;

/**
 * Decides which suspects a claim takes. An event that began in a group before goes only into one of
 * half that size or less, so that the one that kills its node is soon the only one in its group,
 * and only then is charged with it. Confined to one claim.
 */
public final class SuspectGroup {
  private final SuspectRoom room;
  private int allowed = Integer.MAX_VALUE;
  private int taken;

  /** Takes at most so many. */
  public SuspectGroup(SuspectRoom room) {
    this.room = room;
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
    int size = room.groupSize() > 0 ? room.groupSize() : taken + 1;
    if (taken == room.events() || size > most) {
      return false;
    }
    allowed = most;
    taken++;
    return true;
  }

  /** Returns how many events the group has; those that join another count as that does. */
  public int size() {
    return room.groupSize() > 0 ? room.groupSize() : taken;
  }
}
