package eventlog.spring;

/** What can be set under {@code eventlog.health}. Not safe for use by many threads. */
final class HealthProperties {
  /** The limit unless configured. */
  static final int DEFAULT_NEARLY_FULL_PERCENT = 90;

  /** How full the last place where events can wait may be before the health is down, in percent. */
  private int nearlyFullPercent = DEFAULT_NEARLY_FULL_PERCENT;

  public int getNearlyFullPercent() {
    return nearlyFullPercent;
  }

  public void setNearlyFullPercent(int nearlyFullPercent) {
    this.nearlyFullPercent = nearlyFullPercent;
  }
}
