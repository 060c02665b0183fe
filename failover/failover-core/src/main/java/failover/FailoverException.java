package failover;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A failure of the library's own. Failures of the source come as they are. */
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

  /**
   * The source was not asked, because no thread was free for the call within its time, and no
   * answer is stored.
   */
  public static final class SourceBusyException extends FailoverException {
    private static final long serialVersionUID = 1;

    /** The point, and how many threads there are. */
    public SourceBusyException(String name, int threads) {
      super(
          name,
          "failover '%s' must have one of the %d threads for calls with a timeout but none was free"
                  .formatted(name, threads)
              + " early enough for its source to answer in time, and no answer is stored; find out"
              + " what hangs, or raise timedCalls",
          null);
    }
  }

  /**
   * The source was not asked, because the point is in a drill: it is treated as if its source were
   * down.
   */
  public static final class SourceDrillException extends FailoverException {
    private static final long serialVersionUID = 1;

    /** The drill of a point. */
    public SourceDrillException(String name) {
      super(
          name,
          "the source of failover '%s' is taken to be down by a drill, and no answer is stored; end it"
                  .formatted(name)
              + " with drill(name, false)",
          null);
    }
  }

  /**
   * The source was not asked, because it failed a moment ago, and no answer is stored. Its cause is
   * that failure.
   */
  public static final class SourcePausedException extends FailoverException {
    private static final long serialVersionUID = 1;

    /** The pause of a point, and the failure it began with. */
    public SourcePausedException(String name, Throwable cause) {
      super(
          name,
          "the source of failover '%s' is left alone after its failure (%s), and no answer is stored"
                  .formatted(name, cause)
              + "; call again in a while, or find out why the source fails",
          cause);
    }
  }

  /**
   * The source did not answer within a timeout of the point. At the hard timeout it was
   * interrupted.
   */
  public static final class SourceTimeoutException extends FailoverException {
    private static final long serialVersionUID = 1;

    /** The point, and how long it waited. */
    public SourceTimeoutException(String name, Duration timeout) {
      super(
          name,
          "the source of failover '%s' must answer within %s but did not; find out what it waits for,"
                  .formatted(name, timeout)
              + " or raise the timeout",
          null);
    }
  }
}
