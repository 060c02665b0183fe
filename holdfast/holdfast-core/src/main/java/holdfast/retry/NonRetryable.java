package holdfast.retry;

/** An exception by which a handler says that trying again is of no use. */
public interface NonRetryable {}
