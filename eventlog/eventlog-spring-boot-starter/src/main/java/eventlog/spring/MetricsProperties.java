package eventlog.spring;

/** What can be set under {@code eventlog.metrics}. Not safe for use by many threads. */
final class MetricsProperties {
  /** Whether there are meters, where Micrometer is. */
  private boolean enabled = true;

  public boolean isEnabled() {
    return enabled;
  }

  public void setEnabled(boolean enabled) {
    this.enabled = enabled;
  }
}
