package org.springframework.web.reactive.function.client;

/** Looks like the exception of the client of that name. */
public class WebClientResponseException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final int status;

  public WebClientResponseException(int status) {
    super("status " + status);
    this.status = status;
  }

  /** A status as the client's own is: an interface with an enum behind it. */
  public interface Code {
    int value();
  }

  public Code getStatusCode() {
    return new Hidden(status);
  }

  private record Hidden(int value) implements Code {}
}
