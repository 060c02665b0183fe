package failover;

/**
 * The source was not asked, because the point is in a drill: it is treated as if its source were
 * down.
 */
public final class SourceDrillException extends FailoverException {
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
