package eventlog.otlp;

/** A request would have more bytes than allowed. */
final class RequestTooLargeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RequestTooLargeException(int maxBytes) {
    super("the request is larger than maxRequestBytes=" + maxBytes);
  }
}
