package failover;

import org.jspecify.annotations.Nullable;

/** What the library itself has to say to a caller; the source's own failures come as they are. */
public class FailoverException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String name;

  /**
   * An exception of a point.
   *
   * @param name the point
   * @param message what happened
   * @param cause why, or null
   */
  public FailoverException(String name, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.name = name;
  }

  /** The point. */
  public String name() {
    return name;
  }
}
