package failover.codec;

/** An answer cannot be written as bytes, or bytes are no answer of the type. */
public final class CodecException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** What was tried, and why it failed. */
  public CodecException(String message, Throwable cause) {
    super(message, cause);
  }
}
