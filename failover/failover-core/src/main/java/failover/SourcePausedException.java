package failover;

/**
 * The source was not asked, because it failed a moment ago, and no answer is stored. Its cause is
 * that failure.
 */
public final class SourcePausedException extends FailoverException {
  private static final long serialVersionUID = 1;

  /** The pause of a point, and the failure it began with. */
  public SourcePausedException(String name, Throwable cause) {
    super(
        name,
        "the source of failover '%s' is left alone after its failure (%s), and no answer is stored"
            .formatted(name, cause),
        cause);
  }
}
