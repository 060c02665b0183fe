package failover.spring.boot;

/** The settings {@code failover.scheduler.*}. Not safe for use by many threads. */
public class SchedulerProperties {
  /** Whether expired answers are swept and reports are published. */
  private boolean enabled = true;

  /** When expired answers are swept, besides at the start. */
  private String cleanupCron = "0 0 * * * *";

  /** When publishers are told how points are configured, besides at the start. */
  private String reportCron = "0 0 0 * * *";

  /** The defaults. */
  public SchedulerProperties() {}

  /** Whether expired answers are swept and reports are published. */
  public boolean isEnabled() {
    return enabled;
  }

  /** Whether expired answers are swept and reports are published. */
  public void setEnabled(boolean enabled) {
    this.enabled = enabled;
  }

  /** When expired answers are swept, besides at the start. */
  public String getCleanupCron() {
    return cleanupCron;
  }

  /** When expired answers are swept, besides at the start. */
  public void setCleanupCron(String cleanupCron) {
    this.cleanupCron = cleanupCron;
  }

  /** When publishers are told how points are configured, besides at the start. */
  public String getReportCron() {
    return reportCron;
  }

  /** When publishers are told how points are configured, besides at the start. */
  public void setReportCron(String reportCron) {
    this.reportCron = reportCron;
  }
}
