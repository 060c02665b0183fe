package failover.spring.boot;

/** The settings {@code failover.context.*}. Not safe for use by many threads. */
public class ContextProperties {
  /**
   * Whether the attributes of the request are carried to the threads on which a call goes on. A
   * call that ends after its caller has left may use a request that is over.
   */
  private boolean requestAttributes = false;

  /** The defaults. */
  public ContextProperties() {}

  /** Whether the attributes of the request are carried to other threads. */
  public boolean isRequestAttributes() {
    return requestAttributes;
  }

  /** Whether the attributes of the request are carried to other threads. */
  public void setRequestAttributes(boolean requestAttributes) {
    this.requestAttributes = requestAttributes;
  }
}
