package failover.spring.boot;

/** The settings {@code failover.aspect.*}. Not safe for use by many threads. */
public class AspectProperties {
  /** Whether annotated methods of beans are protected. */
  private boolean enabled = true;

  /** The defaults. */
  public AspectProperties() {}

  /** Whether annotated methods of beans are protected. */
  public boolean isEnabled() {
    return enabled;
  }

  /** Whether annotated methods of beans are protected. */
  public void setEnabled(boolean enabled) {
    this.enabled = enabled;
  }
}
