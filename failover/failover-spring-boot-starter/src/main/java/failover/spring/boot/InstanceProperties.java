package failover.spring.boot;

/** The settings {@code failover.observable.instance.*}. Not safe for use by many threads. */
public class InstanceProperties {
  /**
   * Whether meters have a tag for this instance: auto for every registry but Prometheus, always, or
   * never.
   */
  private InstanceMode mode = InstanceMode.AUTO;

  /** The value of the tag; blank for the application and its host. */
  private String id = "";

  /** The defaults. */
  public InstanceProperties() {}

  /**
   * Whether meters have a tag for this instance: auto for every registry but Prometheus, always, or
   * never.
   */
  public InstanceMode getMode() {
    return mode;
  }

  /**
   * Whether meters have a tag for this instance: auto for every registry but Prometheus, always, or
   * never.
   */
  public void setMode(InstanceMode mode) {
    this.mode = mode;
  }

  /** The value of the tag; blank for the application and its host. */
  public String getId() {
    return id;
  }

  /** The value of the tag; blank for the application and its host. */
  public void setId(String id) {
    this.id = id;
  }
}
