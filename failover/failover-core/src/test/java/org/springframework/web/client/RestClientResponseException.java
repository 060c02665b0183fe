package org.springframework.web.client;

/** Looks like the exception of the client of that name. */
public class RestClientResponseException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final int status;

  public RestClientResponseException(int status) {
    super("status " + status);
    this.status = status;
  }

  /** A status that is hidden behind its interface, as the client's own may be. */
  public interface Code {
    int value();
  }

  public Code getStatusCode() {
    return new Hidden(status);
  }

  private record Hidden(int value) implements Code {}
}
